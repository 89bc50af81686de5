// Bets with the best card alone, at Kuhn poker, and holds early, at pig.
//
// Play it with
//
//     arena fight "cmd:node cautious.js" monkey --game kuhn
//     arena fight "cmd:node cautious.js" monkey --game pig
//
// In a game with luck or secrets a message has an observation in place of a position: what the
// player itself knows. Nothing else tells of the opponent's moves.

const lines = require("node:readline").createInterface({ input: process.stdin });

const choosers = {
  // "1: K bet | pass bet": the seat, the card, the moves of both, and behind the bar the legal ones.
  kuhn: (observation) => (observation.split(" ")[1] === "K" ? "bet" : "pass"),
  // "20-34+5o@41": the points of both, the sum of the turn, and who is to move.
  pig: (observation) => (Number(/\+(\d+)/.exec(observation)[1]) >= 15 ? "hold" : "roll"),
};

let choose;

lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "start") {
    choose = choosers[message.game.split("-")[0]];
  } else if (message.type === "move") {
    const move = choose ? choose(message.observation) : message.legal[0];
    process.stdout.write(JSON.stringify({ id: message.id, move }) + "\n");
  }
});
