// A position by itself: its code, a link to it, its picture; and what a link shows.

import { Board } from "./board.js";
import { button, el, openDialog, toast } from "./dom.js";
import { field } from "./form.js";
import { keyed } from "./games.js";
import { get } from "./net.js";
import { t } from "./texts.js";

const query = (code, file) => `code=${encodeURIComponent(code)}${file ? `&board=${encodeURIComponent(file)}` : ""}`;

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("position.copied"));
  } catch {
    toast(text); // a page without https may not copy: it can be read and copied by hand
  }
}

async function png(code, file) {
  const image = new Image();
  image.src = `position.svg?${query(code, file)}`;
  await image.decode();
  const scale = 1200 / image.naturalWidth;
  const canvas = el("canvas", { width: 1200, height: Math.round(image.naturalHeight * scale) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const link = el("a", { href: canvas.toDataURL("image/png"), download: "sorcel.png" });
  link.click();
}

// `file` is the board's file where it is not the standard one.
export async function positionDialog(code, file) {
  const found = await get(`api/position?${query(code, file)}`);
  if (!found) return;
  const board = new Board(found.board);
  board.root.setAttribute("aria-hidden", "true");
  board.showPieces(keyed(found));
  const link = `${location.origin}/#position=${encodeURIComponent(code)}`;
  const text = el("input", { value: code, readonly: true, id: "position-code", spellcheck: "false" });
  openDialog(t("position"), board.root, field(t("position.code"), text), el("div", { class: "row" },
    button(t("position.copy"), () => copy(code), { id: "position-copy" }),
    file ? null : button(t("position.link"), () => copy(link), { id: "position-link" }),
    el("a", { class: "button", href: `position.svg?${query(code, file)}`, download: "sorcel.svg", id: "position-svg" }, "SVG"),
    button("PNG", () => png(code, file), { id: "position-png" })));
}
