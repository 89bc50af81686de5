"use strict";
// Take the part of the page that changes from the server, and change what differs: what has the
// focus, is open, or is being typed stays as it is. Parts that come and go have a data-key.

const keyOf = (node) => node.dataset?.key;

// The node from the old one on that becomes the fresh one: that with its key, or else the old one
// itself if it is of the same kind.
const matchOf = (old, fresh) => {
  const key = keyOf(fresh);
  let node = old;
  while (key && node && keyOf(node) !== key) node = node.nextSibling;
  return node && node.nodeName === fresh.nodeName && keyOf(node) === key ? node : null;
};

const removed = (node) => {
  const next = node.nextSibling;
  node.remove();
  return next;
};

const copyAttributes = (from, to) => {
  for (const { name } of [...to.attributes]) {
    const isOpen = name === "open"; // a person has opened it
    if (!from.hasAttribute(name) && !isOpen) to.removeAttribute(name);
  }
  for (const { name, value } of from.attributes) {
    if (to.getAttribute(name) !== value) to.setAttribute(name, value);
  }
};

const morph = (to, from) => {
  if (to.nodeType !== Node.ELEMENT_NODE) {
    if (to.nodeValue !== from.nodeValue) to.nodeValue = from.nodeValue;
    return;
  }
  copyAttributes(from, to);
  let old = to.firstChild;
  for (const child of [...from.childNodes]) {
    const match = matchOf(old, child);
    while (match && old !== match) old = removed(old);
    if (match) {
      morph(match, child);
      old = match.nextSibling;
    } else {
      to.insertBefore(document.adoptNode(child), old);
    }
  }
  while (old) old = removed(old);
};

const refresh = async () => {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("fresh");
  if (fresh) morph(document.getElementById("fresh"), fresh);
  showTimes();
};
