"use strict";
// Keep the page as the server has it: after morph.js.

const FIRST = 800; // milliseconds until the first look: what a button began has begun
const BUSY = 2000; // and between two looks, while something goes on
const QUIET = 10000;

const wasOpen = document.getElementById("fresh").dataset.open;

const follow = async () => {
  try {
    if (!document.hidden) await refresh();
    if (document.getElementById("fresh").dataset.open !== wasOpen) location.reload(); // it has the form, or not
  } catch {
    // The server is away: it may come back.
  }
  setTimeout(follow, document.getElementById("fresh").dataset.busy ? BUSY : QUIET);
};

setTimeout(follow, FIRST);
