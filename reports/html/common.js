"use strict";
// Find and make elements; every script of a page comes after this one.

const byId = (id) => document.getElementById(id);
const make = (name, text, attributes = {}) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

