// Parts of forms: a field with its label, a choice.

import { el } from "./dom.js";

let numbers = 0;

export function field(label, input) {
  input.id ||= `field-${++numbers}`;
  return el("div", { class: "field" }, el("label", { for: input.id }, label), input);
}

export function select(options, value, attributes = {}) {
  const box = el("select", attributes, ...options.map(([key, text]) => el("option", { value: key }, text)));
  box.value = value;
  return box;
}
