"use strict";
// Sort tables by their headers, and replay the games that the page has.

// Tables -----------------------------------------------------------------------------------------

const valueOf = (cell) => {
  const text = cell ? cell.textContent.trim() : "";
  const number = parseFloat(text.replace("−", "-"));
  return Number.isNaN(number) ? text.toLowerCase() : number;
};

const sortBy = (header) => {
  const table = header.closest("table");
  const at = header.cellIndex;
  const down = header.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.querySelectorAll("th")) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", down ? "descending" : "ascending");
  for (const body of table.tBodies) {
    const rows = [...body.rows].filter((row) => !row.classList.contains("group"));
    const keyed = rows.map((row) => [valueOf(row.cells[at]), row]);
    keyed.sort(([a], [b]) => {
      if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
      return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
    });
    body.append(...keyed.map(([, row]) => row));
  }
};

const makeSortable = () => {
  for (const header of document.querySelectorAll("table.sortable thead th")) {
    const button = make("button", header.textContent, { type: "button" });
    button.addEventListener("click", () => sortBy(header));
    header.replaceChildren(button);
  }
};
makeSortable();

// A large cross table has no cells until they are unpacked: 0, or wins, draws, losses and the link.
const unpacked = async (element) => {
  const bytes = Uint8Array.from(atob(element.textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
};

const cellOf = (found, title) => {
  if (!found) return make("td", undefined, { class: "none" });
  const [wins, draws, losses, link] = found;
  const score = (wins + draws / 2) / (wins + draws + losses);
  const cell = make("td", undefined, { class: `h${Math.round(10 * score)}`, title: `${title}: ${wins}–${draws}–${losses}` });
  cell.append(make(link ? "a" : "span", (100 * score).toFixed(0), link ? { href: link } : {}));
  return cell;
};

const turned = (found) => found && [found[2], found[1], found[0], found[3]];

const fillCross = async (packed) => {
  const right = await unpacked(packed);
  const rows = [...packed.parentElement.querySelector("table.cross tbody").rows];
  const names = rows.map((row) => row.cells[1].textContent);
  rows.forEach((row, at) => row.append(...names.map((name, to) => {
    const found = to > at ? right[at][to - at - 1] : to < at ? turned(right[to][at - to - 1]) : 0;
    return cellOf(found, `${names[at]} against ${name}`);
  })));
};

for (const packed of document.querySelectorAll("script.cells")) fillCross(packed);

// Games ------------------------------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";
const ROWS = 100; // of a list of games at once
let runs; // unpacked when they are first asked for
const CHANCE = "c"; // who made a move, in place of a seat
const EVERYBODY = "all"; // who sees the whole game, in place of a seat
let shown = null; // the game on the board: {run, fight, game, frames, ply, seat}

const unpack = async () => {
  runs ??= (await unpacked(byId("games"))).runs;
  return runs;
};

// A game as it is packed, under names.
const named = ([number, outcome, begin, moves, changes, lines, forfeit, thoughts, worths, movers, views, seated, paid], run, fight) => {
  const turned = number.endsWith(".2");
  const [a, b] = fight.players;
  return {
    paid: paid ?? [],
    number, outcome, begin, changes, lines, forfeit, movers, views,
    thoughts: new Map(thoughts),
    worths: worths ? worths.split(" ").map((at) => run.worths[at]) : [],
    moves: moves ? moves.split(" ") : [],
    players: seated ?? (turned ? [b, a] : [a, b]),
  };
};

const asNumber = (fraction) => fraction.split("/").reduce((a, b) => a / b);
const winner = (game) => {
  if (!game.paid.length) return { first: game.players[0], second: game.players[1] }[game.outcome];
  const most = Math.max(...game.paid.map(asNumber));
  const best = game.players.filter((_, seat) => asNumber(game.paid[seat]) === most);
  return best.length === 1 ? best[0] : undefined;
};
const resultOf = (game) => {
  if (game.outcome === "draw") return "draw";
  if (game.paid.length) return game.players.map((player, seat) => `${player} ${game.paid[seat]}`).join(", ");
  return game.outcome ? `${winner(game)} wins` : "not over";
};

// The board after every number of moves: what stands on each square, and where the last move went.
const framesOf = (run, game, seat) => {
  if (seat !== EVERYBODY) return game.views[seat].map((at) => ({ picture: run.pictures[at] }));
  if (run.pictures) return [game.begin, ...game.changes].map((at) => ({ picture: run.pictures[at] }));
  let cells = [...run.begins[game.begin]];
  const frames = [{ cells, last: [], lines: [] }];
  for (const change of game.moves.length ? game.changes.split(" ") : []) {
    const [text, went] = change.split("@");
    const changed = text.split(",").filter(Boolean).map((part) => [parseInt(part, 10), part.at(-1)]);
    cells = [...cells];
    for (const [at, letter] of changed) cells[at] = letter;
    const last = went === undefined ? changed.map(([at]) => at) : went.split(",").filter(Boolean).map(Number);
    frames.push({ cells, last, lines: [] });
  }
  frames.at(-1).lines = game.lines;
  return frames;
};

const shape = (name, attributes, text) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
};

const drawCells = (run, frame, group) => {
  const at = (square) => run.middle[square];
  const path = (kind, d, squares) => {
    if (squares.length) group.append(shape("path", { class: kind, d: squares.map((s) => `M${at(s)[0]} ${at(s)[1]}${d}`).join("") }));
  };
  path("l", run.square, frame.last);
  const places = new Map();
  frame.cells.forEach((letter, square) => places.set(letter, [...(places.get(letter) ?? []), square]));
  for (const [letter, squares] of places) {
    if (letter in run.pieces) {
      for (const [kind, d] of run.pieces[letter]) path(kind, d, squares);
    } else if (letter !== "_") {
      const man = run.men[letter.toLowerCase()];
      const kind = man ? (letter === letter.toUpperCase() ? "mw" : "mb") : "m";
      for (const s of squares) group.append(shape("text", { class: kind, x: at(s)[0], y: at(s)[1] }, man ?? letter));
    }
  }
  for (const line of frame.lines) {
    const [x, y] = at(line[0]);
    const [toX, toY] = at(line.at(-1));
    const straight = line.every((s) => (at(s)[0] - x) * (toY - y) === (at(s)[1] - y) * (toX - x));
    if (straight) group.append(shape("path", { class: "w", d: `M${x} ${y}L${toX} ${toY}` }));
    else path("w", "m9 0a9 9 0 1 0 0 .1z", line);
  }
};

const drawBoard = (run, frame, title) => {
  const board = byId("replay-board");
  if (run.pictures) {
    const picture = run.drawn
      ? make("img", undefined, { alt: title, src: "data:image/svg+xml;charset=utf-8," + encodeURIComponent(frame.picture) })
      : make("pre", frame.picture);
    board.replaceChildren(picture);
    return;
  }
  const drawn = new DOMParser().parseFromString(run.svg, "image/svg+xml").documentElement;
  drawn.querySelector("title").textContent = title;
  drawn.style.maxWidth = `${2 * drawn.getAttribute("width")}px`; // a small board stays small
  const group = shape("g", {});
  drawn.append(group);
  drawCells(run, frame, group);
  board.replaceChildren(document.adoptNode(drawn));
};

// A move as whom we look with sees it: a seat knows its own, and its picture shows what else it knows.
const isSeen = (game, at) => shown.seat === EVERYBODY || game.movers[at] === shown.seat;

const moveOf = (game, at) => `${game.movers[at] === CHANCE ? "chance: " : ""}${isSeen(game, at) ? game.moves[at] : "?"}`;

const captionOf = (game, ply) => {
  if (ply === 0) return game.moves.length ? "The position before the first move" : `No move was made. ${endOf(game)}`;
  const thought = isSeen(game, ply - 1) ? game.thoughts.get(ply - 1) : "";
  const said = [game.worths[ply - 1], thought].filter(Boolean).join("; ");
  const moved = `${ply}. ${moveOf(game, ply - 1)}${said ? ` (${said})` : ""}`;
  return ply === game.moves.length ? `${moved}. ${endOf(game)}` : moved;
};

const isBlunder = (worth) => worth?.startsWith("??");

const endOf = (game) => {
  if (!game.forfeit) return game.outcome === "draw" ? "The game is a draw" : resultOf(game);
  if (game.paid.length) return `${game.forfeit.join("; ")}. ${resultOf(game)}`;
  const [reason, message, side] = game.forfeit;
  return `${game.players[side] ?? "A player"} forfeits (${reason}): ${message}`;
};

const goTo = (ply) => {
  const { run, game, frames } = shown;
  shown.ply = Math.max(0, Math.min(frames.length - 1, ply));
  const caption = captionOf(game, shown.ply);
  drawBoard(run, frames[shown.ply], caption);
  byId("replay-caption").textContent = caption;
  byId("replay-ply").value = shown.ply;
  for (const button of byId("replay-moves").querySelectorAll("button")) {
    button.toggleAttribute("aria-current", Number(button.dataset.ply) === shown.ply);
  }
};

// Show the open game as a seat sees it, or everything.
const lookAs = (seat) => {
  const { run, game } = shown;
  Object.assign(shown, { seat, frames: framesOf(run, game, seat) });
  byId("replay-moves").replaceChildren(...game.moves.map((move, at) => {
    const item = make("li");
    const mark = isBlunder(game.worths[at]) ? " ??" : "";
    item.append(make("button", moveOf(game, at) + mark, { type: "button", "data-ply": at + 1 }));
    return item;
  }));
  goTo(shown.ply);
};

const seatName = (game, seat) => (game.players.length === 2 ? ["first", "second"][seat] : `seat ${seat + 1}`);

const openGame = (run, game) => {
  shown = { run, game, ply: game.moves.length };
  byId("replay-name").textContent = `${game.number ? `Game ${game.number}: ` : ""}${game.players.map((player, seat) => `${player} (${seatName(game, seat)})`).join(" against ")}`;
  byId("replay-ply").max = game.moves.length;
  byId("replay-as").hidden = game.views.length === 0;
  byId("replay-seat").replaceChildren(
    make("option", "everybody", { value: EVERYBODY }),
    ...game.views.map((_, seat) => make("option", `${game.players[seat]} (${seatName(game, seat)})`, { value: seat })),
  );
  byId("replay-game").hidden = false;
  lookAs(EVERYBODY);
};

const KINDS = {
  "all games": () => true,
  "forfeited": (game) => game.forfeit,
  "A lost": (game, [a]) => game.outcome && game.outcome !== "draw" && winner(game) !== a,
  "A won": (game, [a]) => winner(game) === a,
  "drawn": (game) => game.outcome === "draw",
  "with blunders": (game) => game.worths.some(isBlunder),
};

const rowOf = (game, link, valued) => {
  const row = make("tr");
  const head = make("th", undefined, { scope: "row", class: "number" });
  head.append(make("a", game.number, { href: `${link}/${game.number}` }));
  row.append(head);
  const forfeit = game.paid.length ? game.forfeit.length : game.forfeit[0];
  for (const text of [...game.players, resultOf(game), game.forfeit ? forfeit : ""]) row.append(make("td", text, { class: "text" }));
  row.append(make("td", game.moves.length, { class: "number" }));
  if (valued) row.append(make("td", game.worths.length ? game.worths.filter(isBlunder).length : "", { class: "number" }));
  return row;
};

const listGames = (run, fight, link, kind) => {
  const games = fight.games.map((game) => named(game, run, fight)).filter((game) => KINDS[kind](game, fight.players));
  const valued = run.worths.length > 0;
  const table = make("table");
  const head = table.createTHead().insertRow();
  const seats = fight.players.length === 2 ? ["first", "second"] : fight.players.map((_, seat) => `seat ${seat + 1}`);
  for (const text of ["game", ...seats, "result", "forfeit", "moves", ...(valued ? ["blunders"] : [])]) {
    head.append(make("th", text, { scope: "col", class: ["game", "moves", "blunders"].includes(text) ? "number" : "text" }));
  }
  const body = table.createTBody();
  const select = make("select", undefined, { "aria-label": "which games" });
  for (const name of Object.keys(KINDS).filter((name) => valued || name !== "with blunders")) {
    const label = name.replace(/^A /, `${fight.players[0]} `);
    select.append(make("option", label, { value: name, ...(name === kind ? { selected: "" } : {}) }));
  }
  select.addEventListener("change", () => listGames(run, fight, link, select.value));
  const more = make("button", "", { type: "button", class: "more" });
  const grow = () => {
    body.append(...games.slice(body.rows.length, body.rows.length + ROWS).map((game) => rowOf(game, link, valued)));
    more.textContent = `${games.length - body.rows.length} more games`;
    more.hidden = body.rows.length === games.length;
  };
  more.addEventListener("click", grow);
  grow();
  const scroll = make("div", undefined, { class: "scroll", tabindex: "0", role: "group", "aria-label": "games" });
  scroll.append(table);
  byId("replay-games").replaceChildren(select, scroll, more);
};

// The address says what is shown, #g/RUN/FIGHT/GAME, so that the back button works.
let listed = "";
const follow = async () => {
  const section = byId("replay");
  const [kind, ...numbers] = (location.hash || section.dataset.open).slice(1).split("/");
  if (kind !== "g") {
    section.hidden = true;
    shown = null;
    return;
  }
  section.hidden = false;
  const state = byId("replay-state");
  try {
    state.textContent = runs ? "" : "Unpacking the games …";
    const run = (await unpack())[numbers[0] - 1];
    const fight = run.fights[numbers[1] - 1];
    const link = `#g/${numbers[0]}/${numbers[1]}`;
    byId("replay-title").textContent = `${fight.games.length > 1 ? "Games" : "Game"}: ${fight.players.join(" against ")}`;
    if (listed !== link) {
      byId("replay-game").hidden = true;
      shown = null;
      if (fight.games.length > 1) listGames(run, fight, link, "all games");
      else byId("replay-games").replaceChildren();
      listed = link;
    }
    const found = fight.games.find((game) => game[0] === numbers[2]) ?? (fight.games.length === 1 ? fight.games[0] : undefined);
    if (found) openGame(run, named(found, run, fight));
    state.textContent = numbers[2] && !found ? `Game ${numbers[2]} is not in this file.` : "";
  } catch (error) {
    state.textContent = typeof DecompressionStream === "undefined"
      ? "This browser cannot unpack the games: it has no DecompressionStream."
      : `The games cannot be shown: ${error.message}`;
  }
  if (location.hash) section.scrollIntoView();
};

const STEPS = {
  first: () => 0,
  back: () => shown.ply - 1,
  on: () => shown.ply + 1,
  last: () => shown.frames.length - 1,
};
const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };

if (byId("replay")) {
  byId("replay-game").addEventListener("click", ({ target }) => {
    if (target.dataset.step) goTo(STEPS[target.dataset.step]());
    if (target.dataset.ply) goTo(Number(target.dataset.ply));
  });
  byId("replay-seat").addEventListener("change", ({ target }) => lookAs(target.value));
  byId("replay-ply").addEventListener("input", ({ target }) => goTo(Number(target.value)));
  document.addEventListener("keydown", (event) => {
    const busy = event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (!shown || busy || !(event.key in KEYS)) return;
    event.preventDefault();
    goTo(STEPS[KEYS[event.key]]());
  });
  addEventListener("hashchange", follow);
  follow();
}
