"use strict";
// Show the standings that the server tells. Events that come faster than the screen are skipped.

const byId = (id) => document.getElementById(id);
const make = (name, text, attributes = {}) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

const number = new Intl.NumberFormat("en");
const percent = (score) => (score === null || score === undefined ? "-" : `${(100 * score).toFixed(1)} %`);
const linked = byId("live").dataset.links === "yes";

const nameOf = (row) => {
  const head = make("th", linked ? undefined : row.player, { scope: "row", class: "text" });
  if (linked) head.append(make("a", row.player, { href: `/games/${encodeURIComponent(row.player)}` }));
  return head;
};

const ranksOf = (row, watchable) => {
  if (!watchable || row.low === null) return "-";
  return row.low === row.high ? `${row.low}` : `${row.low}–${row.high}`;
};

const scoreOf = (row) => {
  const score = percent(row.value ?? row.score);
  return row.value_low === null ? score : `${score} (${percent(row.value_low)} to ${percent(row.value_high)})`;
};

const rowOf = (row, run) => {
  const made = make("tr");
  const cell = (text) => make("td", text === null ? "-" : `${text}`, { class: "number" });
  made.append(cell(row.rank), cell(ranksOf(row, run.watchable || run.play === "complete")), nameOf(row));
  made.append(cell(row.hand_in), cell(scoreOf(row)));
  for (const n of [row.games, row.wins, row.draws, row.losses, row.forfeits]) made.append(cell(number.format(n)));
  return made;
};

const PLAYS = {
  stopped: "The owner has stopped the games.",
  waiting: "The games begin with the second player.",
  complete: "All games are played; a new hand-in plays at once.",
  failing: "The games stopped and go on soon.",
};

const noteOf = (run) => {
  if (!run.rows.length) return "";
  if (!run.watchable) return "Ranks that are possible are told at the end.";
  return `The ranks that are possible hold at every moment at once, with an error of ${percent(run.alpha)} at most: look as often as you like. So does the interval of each mean score, with 95 % for itself.`;
};

const show = (run) => {
  byId("summary").textContent = run.rows.length
    ? `${number.format(run.games)} games at ${run.game}${run.closed ? "; hand-ins are closed" : ""}`
    : "No game was played yet.";
  byId("rows").replaceChildren(...run.rows.map((row) => rowOf(row, run)));
  byId("note").textContent = noteOf(run);
  byId("new").textContent = run.new.length ? `About to play: ${run.new.join(", ")}` : "";
};

const say = (text) => {
  if (byId("state").textContent !== text) byId("state").textContent = text;
};

let waiting = null; // the last event that is not drawn yet
const draw = () => {
  const run = waiting;
  waiting = null;
  if (run.problem) {
    say(`The standings cannot be read now: ${run.problem}`);
    return;
  }
  show(run);
  say(PLAYS[run.play] ?? "Live");
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
