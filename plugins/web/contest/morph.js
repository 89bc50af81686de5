"use strict";
// Take the part of the page that changes from the server, and change what differs: what has the
// focus, is open, or is being typed stays as it is.

const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName;

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
  if (to.dataset.byScript !== undefined) return;
  const fresh = [...from.childNodes];
  fresh.forEach((child, place) => {
    const old = to.childNodes[place];
    if (!old) to.append(document.adoptNode(child));
    else if (alike(old, child)) morph(old, child);
    else old.replaceWith(document.adoptNode(child));
  });
  while (to.childNodes.length > fresh.length) to.lastChild.remove();
};

const refresh = async () => {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("fresh");
  if (fresh) morph(document.getElementById("fresh"), fresh);
  showTimes();
};
