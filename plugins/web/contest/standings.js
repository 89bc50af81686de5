"use strict";
// Show the standings that the server tells, between common.js and live.js.

// The entrants with a page, who reads this one, the unit of payoffs, and the seats of a game.
const { links, reader, unit, seats } = byId("live").dataset;

const scoreOf = (score) => (unit && score !== null ? score.toFixed(3) : percent(score));

const nameOf = ({ player }) => {
  const head = make("th", undefined, { scope: "row", class: "text name" });
  const isLinked = links === "all" || links === player;
  head.append(isLinked ? make("a", player, { href: `/games/${encodeURIComponent(player)}` }) : player);
  if (player === reader) head.append(" (you)");
  return head;
};

const ranksOf = (row) => {
  if (row.low === null) return "-";
  return row.low === row.high ? `${row.low}` : `${row.low}–${row.high}`;
};

const intervalOf = (row) => (row.value_low === null ? "-" : `${scoreOf(row.value_low)} to ${scoreOf(row.value_high)}`);

const barOf = ({ wins, draws, losses }) => {
  const bar = make("span", undefined, { class: "bar", "aria-hidden": "true" });
  for (const [kind, count] of [["win", wins], ["draw", draws], ["loss", losses]]) {
    const part = make("i", undefined, { class: kind });
    part.style.flexGrow = count;
    bar.append(part);
  }
  const cell = make("td");
  cell.append(bar);
  return cell;
};

const rowOf = (row) => {
  const made = make("tr", undefined, row.player === reader ? { class: "mine", "aria-current": "true" } : {});
  const cell = (text) => make("td", text === null ? "-" : `${text}`, { class: "number" });
  made.append(cell(row.rank), nameOf(row));
  made.append(make("td", scoreOf(row.value ?? row.score), { class: "number score" }), cell(ranksOf(row)));
  if (!unit) made.append(barOf(row));
  made.append(cell(intervalOf(row)));
  if (seats > 2) made.append(cell(row.place === null ? null : row.place.toFixed(2)));
  const counts = unit ? [row.games, row.forfeits] : [row.games, row.wins, row.draws, row.losses, row.forfeits];
  for (const n of counts) made.append(cell(number.format(n)));
  made.append(cell(row.hand_in));
  return made;
};

const noteOf = (run) => {
  if (!run.rows.length) return "";
  if (!run.is_watched) return "“ranks” are those that are possible. They stand here when all games of these players are played, and so do the intervals where there are any. All hold with 95 %.";
  return `“ranks” are those that are possible. They hold at every moment at once, with an error of ${percent(run.alpha)} at most: look as often as you like. So does the interval of each value, with 95 % for itself.`;
};

let clock = null; // the closing time that the page shows
const keepClock = ({ closes, closed }) => {
  const now = `${closes} ${closed}`;
  if (clock !== null && clock !== now) refresh().catch(() => {}); // the server may come back
  clock = now;
};

const show = (run) => {
  byId("summary").textContent = run.rows.length ? `${number.format(run.games)} games at ${run.game}` : "No game was played yet.";
  byId("rows").replaceChildren(...run.rows.map(rowOf));
  byId("note").textContent = noteOf(run);
  byId("new").textContent = run.new.length ? `About to play: ${run.new.join(", ")}` : "";
  keepClock(run);
};

const stateOf = (run) => run.state;
