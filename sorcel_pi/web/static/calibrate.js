// Calibration on the page: what is asked, what the contacts do, and the answers. It decides nothing.

import { $, button, el, svg } from "./dom.js";
import { ask, line } from "./net.js";
import { said } from "./panel.js";
import { t } from "./texts.js";

const ASKED = "ffffff";
const CLOSED = "18c018";
const DARK = "000000";

// `message` is what is asked, `contacts` what the last pass has read, if there was one.
export function showCalibration(message, contacts, board, { needCode }) {
  const over = message.words.length === 0;
  const [last, ...before] = [...message.said].reverse();
  put("words", over ? t("cal.over") : line.open ? said(message.words[0]) : t(line.down));
  put("why", last ? said(last) : "");
  showAnswers(message, needCode);
  light(message, contacts, board);
  marks(message, board);
  $("calibration").hidden = false;
  $("calibration").replaceChildren(
    el("h2", {}, t("cal.title")),
    over ? "" : el("label", { class: "progress" }, t("cal.progress", { n: message.done, m: message.of }),
      el("progress", { value: message.done, max: message.of })),
    el("h3", {}, t("cal.live")), ...live(message, contacts, board),
    el("ul", { class: "past" }, ...before.map((each) => el("li", {}, said(each)))));
}

const put = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text; };

function showAnswers(message, needCode) {
  const wanted = line.may
    ? message.answers.map((word) => button(t(`answer.${word}`), () => ask("answer", { number: message.number, word }), { "data-answer": word }))
    : [el("p", { class: "hint" }, t("looking")), button(t("code.need"), needCode, { class: "main", id: "need-code" })];
  // What stays as it is keeps the focus; every question has its own buttons.
  const key = `${message.number} ${line.may} ${wanted.map((each) => each.textContent)}`;
  if ($("buttons").dataset.key === key) return;
  $("buttons").dataset.key = key;
  const focused = document.activeElement?.dataset.answer;
  $("buttons").replaceChildren(...wanted);
  if (focused) ($("buttons").querySelector(`[data-answer="${focused}"]`) ?? wanted[0])?.focus();
}

function light(message, contacts, board) {
  const closed = new Set(contacts?.spaces);
  board.light(board.message.names.map((_, space) => (closed.has(space) ? CLOSED : space === message.space ? ASKED : DARK)).join(""));
}

function marks(message, board) {
  const mark = (space, kind) => {
    const [x, y] = board.centre(space);
    return svg("circle", { class: `mark ${kind}`, cx: x, cy: y, r: board.message.pitch * (kind === "asked" ? 0.36 : 0.1), "data-mark": board.message.names[space] });
  };
  board.layers.spots.replaceChildren(
    ...message.known.map((space) => mark(space, "known")), ...message.dead.map((space) => mark(space, "dead")),
    ...(message.space === null ? [] : [mark(message.space, "asked")]));
}

function live(message, contacts, board) {
  if (!contacts?.read) return [el("p", { id: "closed" }, t("cal.unreadable"))];
  const names = contacts.spaces.map((space) => board.message.names[space]).join(" ");
  const places = contacts.places.map((place) => [Math.floor(place / message.columns), place % message.columns]);
  const words = places.length ? t("cal.live.places", { places }) : names ? t("slide.closed", { spaces: names }) : t("slide.none");
  const closed = new Set(contacts.places);
  const cells = [...Array(message.rows * message.columns).keys()].map((place) => el("i", { class: closed.has(place) ? "closed" : "" }));
  const grid = cells.length ? [el("div", { class: "matrix", "aria-hidden": "true", "data-columns": message.columns }, ...cells)] : [];
  if (grid.length) grid[0].style.gridTemplateColumns = `repeat(${message.columns}, 1fr)`;
  return [...grid, el("p", { id: "closed" }, words)];
}
