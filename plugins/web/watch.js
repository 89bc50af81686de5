"use strict";
// Show what the server tells of a run, between common.js and live.js.

const rowOf = (row) => {
  const made = make("tr");
  made.append(make("th", row.player, { scope: "row", class: "text" }));
  const numbers = [row.games, row.wins, row.draws, row.losses, row.forfeits].map((n) => number.format(n));
  for (const text of [percent(row.score), ...numbers]) made.append(make("td", text, { class: "number" }));
  return made;
};

const itemOf = (game) => {
  const item = make("li");
  const result = game.reason ? `${game.result} by forfeit (${game.reason})` : game.result;
  const title = `${game.players.join(" against ")}: ${result}`;
  if (game.picture) item.append(make("img", undefined, { src: game.picture, alt: title }));
  item.append(make("p", game.players.join(" – ")), make("p", `${result}, ${game.moves} moves`, { class: "state" }));
  return item;
};

let lastGames = "";
const show = (run) => {
  const planned = run.planned === null ? "" : ` of ${number.format(run.planned)}`;
  byId("played").textContent = `${number.format(run.played)}${planned} games`;
  const bar = byId("bar");
  bar.hidden = run.planned === null;
  bar.value = run.planned ? run.played / run.planned : 0;
  byId("rows").replaceChildren(...run.standings.map(rowOf));
  const games = JSON.stringify(run.games);
  if (games !== lastGames) byId("games").replaceChildren(...run.games.map(itemOf));
  lastGames = games;
};

const stateOf = (run) => (run.is_complete ? "The run is complete." : "Live");
