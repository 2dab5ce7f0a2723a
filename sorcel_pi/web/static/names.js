// Names of people: short, and each in its own direction.

import { el } from "./dom.js";

export const MOST = 40;
const SHOWN = 24;
const segments = new Intl.Segmenter();
const letters = (name) => [...segments.segment(name)].map((each) => each.segment);

// From 24 characters on a name is cut, whole characters only.
export function shortName(name) {
  const all = letters(name);
  return all.length < SHOWN ? name : `${all.slice(0, SHOWN - 1).join("")}…`;
}

export const nameTag = (name) => el("bdi", { class: "name", title: name }, shortName(name));

// As plain text in the middle of another: isolated, so that its direction changes nothing around it.
export const isolated = (name) => `\u2068${shortName(name)}\u2069`;
