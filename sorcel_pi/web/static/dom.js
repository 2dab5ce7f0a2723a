// Elements, made short.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}

export const el = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);

export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

export const $ = (id) => document.getElementById(id);

export const button = (text, click, attributes = {}) => el("button", { type: "button", onclick: click, ...attributes }, text);

let hiding = 0;

export function toast(text) {
  $("toast").textContent = text;
  $("toast").classList.add("on");
  clearTimeout(hiding);
  hiding = setTimeout(() => $("toast").classList.remove("on"), 4000);
}

export function openDialog(title, ...children) {
  $("dialog-title").textContent = title;
  $("dialog-body").replaceChildren(...children);
  if (!$("dialog").open) $("dialog").showModal();
  return $("dialog");
}

// After what begins anew: on a phone the buttons are below the board.
export function toTheBoard() {
  $("more").open = false;
  scrollTo(0, 0);
}

export const closeDialog = () => $("dialog").close();
