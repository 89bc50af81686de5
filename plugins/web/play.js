"use strict";
(() => {
  const table = document.getElementById("table");
  const address = table.dataset.table;
  const token = document.querySelector("meta[name=csrf-token]").content;
  const at = (id) => document.getElementById(id);
  const buttons = [...table.querySelectorAll("button[data-act]")];
  let state = { version: -1, busy: true, choices: [] };
  let picked = null; // the square that a move of two clicks begins at
  let kept = null; // the square that the keyboard was at

  function show(told) {
    if (told.version < state.version) return;
    if (told.version !== state.version) picked = null;
    state = told;
    at("says").textContent = state.ended || waiting() || state.says || "";
    at("problem").textContent = state.problem || "";
    at("problem").hidden = !state.problem;
    at("score").textContent = state.score || "";
    if (state.text !== undefined) at("letters").textContent = state.text;
    if (state.board !== undefined) {
      const before = document.activeElement;
      const had = before && before.dataset && before.dataset.square;
      if (had !== undefined) kept = had;
      at("board").innerHTML = state.board; // the server has escaped all that is in it
      enable(had !== undefined);
    }
    list("hint", (state.hint || []).map((line) => document.createTextNode(line)));
    list("more", unreached().map(button));
    for (const one of buttons) one.parentElement.hidden = !can(one.dataset.act);
    at("typed").hidden = !mayMove();
  }

  function waiting() {
    return state.busy ? `${state.says || ""} Thinking …`.trim() : "";
  }

  function mayMove() {
    return Boolean(state.asks) && !state.busy && !state.ended;
  }

  function can(act) {
    if (act === "resume") return Boolean(state.ended);
    if (state.ended) return false;
    if (act === "leave") return true;
    if (state.busy) return false;
    if (act === "again") return Boolean(state.over);
    if (act === "undo") return (state.moves || []).length > 0;
    if (act === "step") return Boolean(state.watched) && !state.over;
    return Boolean(state.asks);
  }

  function choices() {
    return mayMove() ? state.choices : [];
  }

  // A click is a move where one move alone begins at each square; else it takes two.
  function takesTwo() {
    const firsts = choices().filter((one) => one.squares.length).map((one) => one.squares[0]);
    return new Set(firsts).size < firsts.length;
  }

  function reached(square) {
    if (!takesTwo()) return choices().filter((one) => one.squares[0] === square);
    if (picked === null) return choices().filter((one) => one.squares[0] === square);
    return choices().filter(
      (one) => one.squares[0] === picked && one.squares[one.squares.length - 1] === square);
  }

  function begins(square) {
    return choices().some((one) => one.squares[0] === square);
  }

  // Moves without a square of their own, and those that the second click leaves open.
  function unreached() {
    return choices().filter((one) => !one.squares.length);
  }

  function button(choice) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = choice.text;
    made.addEventListener("click", () => move(choice.text));
    return made;
  }

  function list(id, nodes) {
    at(id).replaceChildren(...nodes.map((node) => {
      const item = document.createElement("li");
      item.append(node);
      return item;
    }));
    at(id).hidden = !nodes.length;
  }

  function targets() {
    return [...at("board").querySelectorAll(".target")];
  }

  function enable(focuses) {
    let first = null;
    for (const one of targets()) {
      const square = Number(one.dataset.square);
      const works = reached(square).length > 0 || begins(square);
      one.classList.toggle("picked", square === picked);
      if (works) one.removeAttribute("aria-disabled");
      else one.setAttribute("aria-disabled", "true");
      one.setAttribute("tabindex", "-1");
      if (works && (first === null || one.dataset.square === kept)) first = one;
    }
    if (first !== null) {
      first.setAttribute("tabindex", "0");
      if (focuses) first.focus();
    }
  }

  function choose(square) {
    if (!mayMove()) return;
    if (square === picked) {
      picked = null;
    } else {
      const found = reached(square);
      if (takesTwo() && picked === null) {
        if (found.length) picked = square;
      } else if (found.length === 1) {
        move(found[0].text);
        return;
      } else if (found.length) {
        list("more", found.map(button));
        at("more").querySelector("button").focus();
        return;
      } else {
        picked = begins(square) ? square : null;
      }
    }
    kept = String(square);
    enable(true);
  }

  // The nearest target in the direction of an arrow key.
  function neighbour(from, right, down) {
    let best = null, least = Infinity;
    for (const one of targets()) {
      const x = one.dataset.x - from.dataset.x, y = one.dataset.y - from.dataset.y;
      const along = x * right + y * down, aside = Math.abs(x * down) + Math.abs(y * right);
      if (along > 0 && along + 3 * aside < least) {
        best = one;
        least = along + 3 * aside;
      }
    }
    return best;
  }

  const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

  at("board").addEventListener("keydown", (event) => {
    const target = event.target.closest(".target");
    if (!target) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(Number(target.dataset.square));
    } else if (event.key in ARROWS) {
      event.preventDefault();
      const next = neighbour(target, ...ARROWS[event.key]);
      if (!next) return;
      target.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      kept = next.dataset.square;
      next.focus();
    }
  });
  at("board").addEventListener("click", (event) => {
    const target = event.target.closest(".target");
    if (target) choose(Number(target.dataset.square));
  });
  at("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = at("move").value.trim();
    at("move").value = "";
    if (text) move(text);
  });
  for (const one of buttons) one.addEventListener("click", () => act(one.dataset.act));

  function move(text) {
    return act("move", text);
  }

  async function act(name, text = "") {
    const body = new URLSearchParams({ version: state.version, move: text });
    try {
      const answer = await fetch(`${address}/${name}`, {
        method: "POST", body, headers: { "x-csrf-token": token },
      });
      await take(answer);
    } catch {
      complain("The server does not answer.");
    }
  }

  async function take(answer) {
    const kind = answer.headers.get("content-type") || "";
    if (kind.startsWith("application/json")) show(await answer.json());
    else complain("The server does not take this. Load the page again.");
    return answer.ok || answer.status === 409;
  }

  function complain(text) {
    at("problem").textContent = text;
    at("problem").hidden = false;
  }

  const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

  async function follow() {
    for (;;) {
      try {
        const answer = await fetch(`${address}/state?after=${state.version}`);
        if (!(await take(answer))) return;
      } catch {
        complain("The server does not answer. The page tries again.");
        await pause(2);
        continue;
      }
      await pause(0.05);
    }
  }

  follow();
})();
