// A bot as an HTTP server in Node: it makes the first legal move of any game.
//
//     node first_free.js 8000
//     arena fight http://127.0.0.1:8000 monkey
"use strict";

const http = require("node:http");

function answer(path, message) {
  if (path !== "/move") return {};
  const begin = process.hrtime.bigint();
  const move = message.legal[0];
  return { move, seconds: Number(process.hrtime.bigint() - begin) / 1e9 };
}

const server = http.createServer((request, response) => {
  let text = "";
  request.on("data", (piece) => (text += piece));
  request.on("end", () => {
    const body = JSON.stringify(answer(request.url, JSON.parse(text)));
    response.writeHead(200, { "Content-Length": Buffer.byteLength(body) });
    response.end(body);
  });
});

server.listen(Number(process.argv[2]), "127.0.0.1");
