// Names of spaces in the words above the board: the spaces that they mean glow.

import { $, svg } from "./dom.js";

export function glow(board) {
  const said = `${$("words").textContent} ${$("why").textContent}`;
  const named = new Set(said.match(/\b[a-o]\d{1,2}\b/g) ?? []);
  const spaces = board.message.names.flatMap((name, space) => (named.has(name) ? [space] : []));
  board.layers.named.replaceChildren(...spaces.map((space) => {
    const [cx, cy] = board.centre(space);
    return svg("circle", { class: "named-space", cx, cy, r: 0.47 * board.message.pitch });
  }));
}
