"use strict";
// Show the standings that the server tells, between common.js and live.js.

const linked = byId("live").dataset.links === "yes";

const nameOf = (row) => {
  const head = make("th", linked ? undefined : row.player, { scope: "row", class: "text" });
  if (linked) head.append(make("a", row.player, { href: `/games/${encodeURIComponent(row.player)}` }));
  return head;
};

const ranksOf = (row) => {
  if (row.low === null) return "-";
  return row.low === row.high ? `${row.low}` : `${row.low}–${row.high}`;
};

const scoreOf = (row) => {
  const score = percent(row.value ?? row.score);
  return row.value_low === null ? score : `${score} (${percent(row.value_low)} to ${percent(row.value_high)})`;
};

const rowOf = (row, run) => {
  const made = make("tr");
  const cell = (text) => make("td", text === null ? "-" : `${text}`, { class: "number" });
  made.append(cell(row.rank), cell(ranksOf(row)), nameOf(row));
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

const stateOf = (run) => PLAYS[run.play] ?? "Live";
