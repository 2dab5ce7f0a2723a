// What the lights mean: a small board for each sign, moving as the real lights do, tick by tick.

import { Board } from "./board.js";
import { $, el, openDialog } from "./dom.js";
import { get, on } from "./net.js";
import { current, t } from "./texts.js";

const RIM = [178, 156];
let palette = "default";
let running = 0;

on("state", (message) => { palette = message.lights.palette; });

function picture(data, entry) {
  const board = new Board(data.board, { trays: false });
  const [x, y] = [board.width / 2, board.height / 2];
  board.root.setAttribute("viewBox", `${x - RIM[0]} ${y - RIM[1]} ${2 * RIM[0]} ${2 * RIM[1]}`);
  board.root.setAttribute("aria-hidden", "true");
  board.showPieces(entry.pieces);
  return board;
}

// What each light of an entry shows, tick by tick.
function unrolled(data, entry) {
  return entry.lights.map(([space, number]) => [space, data.sequences[number].flatMap(([colour, ticks]) => Array(ticks).fill(colour))]);
}

function show(board, lights, tick) {
  const colours = Array(board.message.names.length).fill("000000");
  for (const [space, row] of lights) colours[space] = row[tick % row.length];
  board.light(colours.join(""));
}

export async function legendDialog() {
  const data = await get(`legend.json?palette=${encodeURIComponent(palette)}`);
  if (!data) return;
  running += 1;
  const mine = running;
  const seen = new Set();
  const watcher = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) seen[isIntersecting ? "add" : "delete"](target);
  }, { root: $("dialog") });
  const rows = data.entries.map((entry) => {
    const board = picture(data, entry);
    const row = el("li", {}, board.root, el("p", {}, t(`legend.${entry.key}`)));
    watcher.observe(row);
    return { row, board, lights: unrolled(data, entry) };
  });
  openDialog(t("lights"), el("p", { class: "hint" }, t("legend.how")), el("ul", { class: "legend" }, ...rows.map(({ row }) => row)));
  const begun = performance.now();
  const step = () => {
    if (mine !== running || !$("dialog").open || !rows[0].row.isConnected) return watcher.disconnect();
    const tick = Math.floor((performance.now() - begun) / 1000 * data.ticks_per_s);
    for (const { row, board, lights } of rows) if (seen.has(row)) show(board, lights, tick);
    return requestAnimationFrame(step);
  };
  step();
}

$("open-lights").addEventListener("click", legendDialog);
if (location.hash === "#lights") legendDialog();
const rules = $("open-rules");
for (const event of ["pointerdown", "focus", "click"]) {
  rules.addEventListener(event, () => { rules.href = `rules-${current()}.html`; });
}
