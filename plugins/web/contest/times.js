"use strict";
// Show times as the reader's clock has them, and count down by the server's.

const DAY = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
const plain = new Intl.DateTimeFormat("en-GB", DAY);
const zoned = new Intl.DateTimeFormat("en-GB", { ...DAY, year: "numeric", timeZoneName: "short" });

const UNITS = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];

const away = (seconds) => {
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  if (first < 0) return "now";
  const two = UNITS.slice(first, first + 2).map(([unit, size], place) => {
    const rest = place ? seconds % UNITS[first][1] : seconds;
    return `${Math.floor(rest / size)} ${unit}`;
  });
  return `in ${two.join(" ")}`;
};

let serverNow = ""; // the server's time when it made the page
let ahead = 0; // milliseconds by which its clock is ahead of this one

const countDown = () => {
  for (const element of document.querySelectorAll("[data-until]")) {
    const { now, until } = element.dataset;
    if (now !== serverNow) {
      serverNow = now;
      ahead = Date.parse(now) - Date.now();
    }
    element.textContent = away(Math.floor((Date.parse(until) - Date.now() - ahead) / 1000));
  }
};

const showTimes = () => {
  for (const element of document.querySelectorAll("time")) {
    const form = element.closest(".clock") ? zoned : plain;
    element.textContent = form.format(new Date(element.dateTime));
  }
  countDown();
};

showTimes();
setInterval(countDown, 1000);
