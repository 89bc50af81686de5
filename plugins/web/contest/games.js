"use strict";
// Keep the page of an entrant's games as the server has it, after the scripts of a report. While a
// game is open, or something on the page has the focus, it stays as it is.

const LEAST = 15000; // milliseconds between two looks
const MOST = 120000;
const RATIO = 40; // a pause is so many times as long as the look before it
const AGE = 10000; // the server keeps a page for so long

const owner = decodeURIComponent(location.pathname.split("/").pop());
let told = ""; // what the last event has told of this entrant
let toldAt = 0;
let isOld = true;

const isUsed = () => {
  const isOpen = byId("replay") && !byId("replay").hidden;
  return document.hidden || isOpen || byId("main").contains(document.activeElement);
};

const renew = async () => {
  const answer = await fetch(location.pathname, { headers: { accept: "text/html" } });
  if (!answer.ok) throw new Error(answer.status);
  const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
  if (isUsed()) throw new Error("it is used by now");
  const replay = byId("replay");
  if (!replay) { // there is nothing to keep yet, and nobody listens to its buttons
    if (found.querySelector("#replay")) location.reload();
  } else if (found.querySelector("#replay")) {
    found.querySelector("#replay").replaceWith(replay);
  }
  byId("main").replaceWith(document.adoptNode(found));
  makeSortable();
  runs = undefined;
  listed = "";
};

const keepUp = async () => {
  let pause = LEAST;
  if (isOld && !isUsed()) {
    const began = performance.now();
    isOld = began - toldAt < AGE; // then the page may be from before
    try {
      await renew();
    } catch {
      isOld = true; // the server may come back
    }
    pause = Math.min(MOST, Math.max(LEAST, RATIO * (performance.now() - began)));
  }
  setTimeout(keepUp, pause);
};

new EventSource("/standings/events").addEventListener("message", ({ data }) => {
  const row = JSON.parse(data).rows?.find(({ player }) => player === owner);
  const now = JSON.stringify(row);
  if (!row || now === told) return;
  told = now;
  toldAt = performance.now();
  isOld = true;
});
setTimeout(keepUp, LEAST);
