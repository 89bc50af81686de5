// Referee a dive for pearls between two to eight programs, in the convention of docs/referee.md.
//
//     node divers.mjs -p1 "python3 deep.py" -p2 "python3 shy.py" -p3 "python3 deep.py" -s 7
//
// In each of five dives the divers go down together, a fathom at a time. At each fathom they find 1
// to 15 pearls, which those who are down share, or a shark with a chance of one in five. A shark
// takes all that they hold. A player reads a line a fathom: the fathom, the pearls that it holds and
// how many are down. It answers DOWN, or UP to keep what it holds for good and wait for the next
// dive. What does not divide is lost.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const DIVES = 5;
const DEEPEST = 20;
const MILLISECONDS = 2000;

/** Return a generator of numbers from 0 to 1 that a seed decides (mulberry32). */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A program that plays, until it breaks the rules. */
class Player {
  constructor(number, command) {
    this.number = number;
    this.kept = this.held = 0;
    this.isOut = this.isDown = false;
    this.process = spawn("/bin/sh", ["-c", `exec ${command}`], { stdio: ["pipe", "pipe", "inherit"] });
    this.process.stdin.on("error", () => {}); // it has ended: its answers tell
    this.answers = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  /** Ask whether it goes on, and return whether it does. */
  async goesDown(fathom, down) {
    this.process.stdin.write(`${fathom} ${this.held} ${down}\n`);
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(() => resolve({ late: true }), MILLISECONDS);
    });
    const answer = await Promise.race([this.answers.next(), late]);
    clearTimeout(timer);
    const word = answer.late || answer.done ? "" : answer.value.trim();
    if (word !== "DOWN" && word !== "UP") {
      const said = answer.late ? "nothing in time" : JSON.stringify(word);
      console.log(`ERR ${this.number} it says ${said}, not DOWN or UP`);
      this.isOut = true;
    }
    return word === "DOWN";
  }
}

/** Play one dive. */
async function dive(players, random) {
  let down = players.filter((player) => !player.isOut);
  for (let fathom = 1; fathom <= DEEPEST && down.length > 0; fathom += 1) {
    if (random() < 0.2) {
      for (const player of down) player.held = 0;
      return;
    }
    const share = Math.floor((1 + Math.floor(random() * 15)) / down.length);
    for (const player of down) player.held += share;
    // All are asked before the first answers, for they think at once.
    const goOn = await Promise.all(down.map((player) => player.goesDown(fathom, down.length)));
    down = down.filter((player, place) => {
      if (!goOn[place]) {
        player.kept += player.held;
        player.held = 0;
      }
      return goOn[place];
    });
  }
  for (const player of down) {
    player.kept += player.held;
    player.held = 0;
  }
}

const words = process.argv.slice(2);
const options = new Map();
for (let place = 0; place < words.length; place += 2) options.set(words[place], words[place + 1]);
const numbers = [1, 2, 3, 4, 5, 6, 7, 8].filter((number) => options.has(`-p${number}`));
const players = numbers.map((number) => new Player(number, options.get(`-p${number}`)));
const random = generator(Number(options.get("-s")));
for (let number = 0; number < DIVES; number += 1) await dive(players, random);
console.log(players.map((player) => player.kept).join(" "));
for (const player of players) player.process.kill();
process.exit(0);
