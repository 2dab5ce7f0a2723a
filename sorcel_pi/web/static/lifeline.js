// While the line to the table is down, what needs it is visibly off.

import { $ } from "./dom.js";
import { line, on } from "./net.js";
import { t } from "./texts.js";

const CONTROLS = ["answers", "buttons", "more-buttons", "lesson"];

function switchControls(off) {
  for (const id of CONTROLS) $(id).inert = off;
}

on("hello", () => switchControls(false));
on("closed", () => {
  document.body.dataset.line = "lost";
  // What is shown of a table says so itself; here it has never been seen.
  if (!$("table").firstChild) $("words").textContent = t(line.down);
  switchControls(true);
});
