"use strict";
// Follow the events of the server: the script before this one says with show() and stateOf() how
// they look. An event that comes before the last one is drawn takes its place.

const number = new Intl.NumberFormat("en");
const percent = (score) => (score === null ? "-" : `${(100 * score).toFixed(1)} %`);

const say = (text) => {
  if (byId("state").textContent !== text) byId("state").textContent = text;
};

let waiting = null; // the last event that is not drawn yet
const draw = () => {
  const run = waiting;
  waiting = null;
  if (run.problem) {
    say(`It cannot be read now: ${run.problem}`);
    return;
  }
  show(run);
  say(stateOf(run));
};

const take = (text) => {
  const idle = waiting === null;
  waiting = JSON.parse(text);
  if (idle) requestAnimationFrame(draw);
};

take(byId("live").dataset.first);
const source = new EventSource(byId("live").dataset.events);
source.addEventListener("message", ({ data }) => take(data));
source.addEventListener("error", () => {
  const lost = source.readyState === EventSource.CLOSED;
  say(lost ? "The server does not answer: load the page again." : "The connection is lost; trying again …");
});
