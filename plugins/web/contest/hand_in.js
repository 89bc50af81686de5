"use strict";
// Send a hand-in as it is. The page says what becomes of it; this says only what was not taken.
// After the closing time the page has no form.

const form = document.getElementById("hand-in");
const said = document.getElementById("said");
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [file] = document.getElementById("file").files;
  const button = form.querySelector("button");
  if (!file) return;
  if (file.size > Number(form.dataset.size)) {
    said.textContent = "Not taken: the file is too large.";
    return;
  }
  button.disabled = true;
  said.textContent = "Sending …";
  try {
    const answer = await fetch("/hand-ins", {
      method: "POST",
      body: file,
      headers: {
        accept: "application/json",
        "content-type": "application/octet-stream",
        "x-csrf-token": document.querySelector("meta[name=csrf-token]").content,
        "x-file-name": encodeURIComponent(file.name),
      },
    });
    const text = await answer.text();
    const result = answer.headers.get("content-type").startsWith("application/json") ? JSON.parse(text) : { problem: text };
    said.textContent = answer.ok ? "" : `Not taken: ${result.problem}`;
    if (answer.ok) form.reset();
    await refresh();
  } catch {
    said.textContent = "The server did not take it: it is away, or the file is too large.";
  }
  button.disabled = false;
});
