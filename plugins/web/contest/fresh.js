"use strict";
// Keep the part of the page that changes as the server has it, without loading the page again.

const BUSY = 2000; // milliseconds between two looks while something goes on
const QUIET = 15000;

const refresh = async () => {
  const part = document.getElementById("fresh");
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok) return;
  const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("fresh");
  const isUsed = part.contains(document.activeElement) && document.activeElement !== document.body;
  if (found && !isUsed && found.outerHTML !== part.outerHTML) part.replaceWith(document.adoptNode(found));
};

const follow = async () => {
  try {
    if (!document.hidden) await refresh();
  } catch {
    // The server is away: it may come back.
  }
  setTimeout(follow, document.getElementById("fresh").dataset.busy ? BUSY : QUIET);
};

setTimeout(follow, BUSY);
