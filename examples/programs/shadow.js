// Follows its opponent: the legal move nearest to the last one that the opponent made.
//
// Play it with
//
//     arena fight "cmd:node shadow.js" monkey
//
// A position does not tell which move was the last. The arena does, in a message of its own.

const lines = require("node:readline").createInterface({ input: process.stdin });

let seed; // decides the first move, when there is nobody to follow
let last;

function choose(legal) {
  if (last === undefined) return legal[seed % legal.length];
  const distance = (move) => Math.abs(Number(move) - last);
  return legal.reduce((best, move) => (distance(move) < distance(best) ? move : best));
}

lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "start") {
    seed = message.seed;
    last = undefined; // one process plays many games
  } else if (message.type === "observe") {
    last = Number(message.move);
  } else if (message.type === "move") {
    const answer = { id: message.id, move: choose(message.legal) };
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
});
