// What stands beside the board: words, both seats, buttons, the log.

import { drawPiece } from "./board.js";
import { $, button, closeDialog, el, openDialog, svg, toTheBoard, toast } from "./dom.js";
import { nameTag } from "./names.js";
import { ask, line, send } from "./net.js";
import { sound } from "./sounds.js";
import { sentence } from "./story.js";
import { givenName, has, t } from "./texts.js";

export const said = ([key, gaps]) => t(key, gaps);

const put = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text; };

export function showWords(state, board, open) {
  const [first, ...more] = state.words;
  const arranging = line.hands && state.trouble === "line"; // nobody reads contacts meanwhile
  put("words", !open ? t(line.down) : arranging ? t("arranging") : said(first));
  put("why", open ? [...more.map(said), state.trouble === "line" ? state.sensor_error : ""].join(" ").trim() : "");
  put("warnings", state.warnings.map((name) => t(`warnings.${name}`)).join(" "));
  $("warnings").hidden = !state.warnings.length;
  const side = state.over ? state.over.winner : state.side;
  $("say").dataset.side = side ?? "none";
  $("say").classList.toggle("urgent", more.some(([key]) => key.startsWith("why") || key === "astray") || first[0].startsWith("wrong"));
}

// -- seats ----------------------------------------------------------------------------------------

export const icon = (letter) => svg("svg", { class: "icon", viewBox: "-24 -24 48 48", "aria-hidden": "true" }, drawPiece(letter, 60));

function dots(full, all) {
  const box = el("span", { class: "dots", "aria-hidden": "true" });
  for (let k = 0; k < Math.min(all, 12); k++) box.append(el("i", { class: k < full ? "full" : "" }));
  return box;
}

function fact(label, text, ...extra) {
  return el("div", { class: "fact" }, el("dt", {}, label), el("dd", {}, ...extra, text));
}

function seat(state, side) {
  const acts = state.side === side && !state.over;
  const level = state.seats[side];
  const name = level === null ? givenName(state.players, side) : t("computer.level", { level });
  const sideName = t(`side.${side}`);
  const facts = el("dl", {},
    acts ? fact(t("steps"), t("of", { n: state.left, m: state.left + state.made }), dots(state.left, state.left + state.made)) : null,
    fact(t("reserve"), String(state.reserve[side])),
    fact(t("detained"), t("of", { n: state.detained[side], m: state.limit })),
    state.coins ? fact(t("purse"), String(state.coins[side])) : null);
  return el("div", { class: `seat side${side}${acts ? " acts" : ""}` }, icon(side ? "s" : "S"),
    el("div", { class: "who" }, el("strong", {}, sideName), name ? nameTag(name) : null,
      acts ? el("em", {}, t(state.thinking ? "thinking" : "turn")) : null, holding(state, side)), facts);
}

const mine = (state, side) => [null, line.browser].includes(state.held[side]);

// A side of a board on the screen may be held by one browser: others leave its pieces alone.
function holding(state, side) {
  const elsewhere = line.hands && !mine(state, side);
  return elsewhere ? el("em", { class: "held-by" }, t("seat.other")) : null;
}

function holdButtons(state) {
  return [0, 1].filter((side) => line.hands && state.seats[side] === null && mine(state, side)).map((side) => {
    const holds = state.held[side] === line.browser;
    return button(t("seat.take", { side }), () => ask("side", { side }), { id: `side-${side}`, title: tip("seat.take"), "aria-pressed": String(holds) });
  });
}

export function showSeats(state, flipped) {
  const order = flipped ? [0, 1] : [1, 0];
  const pot = state.coins ? el("p", { class: "pot" }, `${t("pot")} ${state.coins[2]} · ${t("stake")} ${state.coins[3]}`) : null;
  $("seats").replaceChildren(...[seat(state, order[0]), pot, seat(state, order[1])].filter(Boolean));
}

// -- buttons --------------------------------------------------------------------------------------

export function sure(text, yes) {
  const dialog = openDialog(text, el("div", { class: "row" },
    button(t("yes"), () => { closeDialog(); yes(); }, { class: "main" }), button(t("no"), closeDialog)));
  dialog.querySelector(".main").focus();
}

const tip = (name) => t(`tip.${name}`);

function nextGame() {
  ask("next_game");
  toTheBoard();
}

export function showButtons(state, board, { quick, needCode, newGame, computer, position }) {
  const can = line.may;
  const lesson = state.lesson !== null;
  const alone = state.seats.some((level) => level !== null);
  const answers = [];
  if (can && state.mode === "ASK") {
    const ways = state.asked.map((space) => board.message.names[space]);
    if (state.may_end) ways.push(t("end_turn"));
    ways.forEach((way, number) => answers.push(button(way, () => ask("choose", { number }), { class: "main" })));
  }
  if (can && (state.mode === "CONFIRM" || (state.over && !lesson))) {
    answers.push(button(t("next_game"), nextGame, { class: "main" }));
  }
  if (can && state.offer) {
    const own = state.offer.by === line.browser;
    answers.push(el("p", { class: "hint" }, t(own ? "offer.own" : "offer.other", { what: t(`offer.${state.offer.what}`) })));
    if (!own) answers.push(button(t("offer.yes"), () => ask("offer", { yes: 1 }), { class: "main", id: "offer-yes" }));
    answers.push(button(t(own ? "offer.withdraw" : "offer.no"), () => ask("offer", { yes: 0 }), { id: "offer-no" }));
  }
  if (can && line.hands && !quick && state.mode === "SETUP") answers.push(button(t("set_up"), () => ask("set_up"), { class: "main" }));
  fillRow($("answers"), answers);
  const row = [];
  if (!can) {
    row.push(el("p", { class: "hint" }, t("looking")), button(t("code.need"), needCode, { class: "main", id: "need-code" }));
  } else {
    // In quick play what is pressed waits for its turn as clicks do, so the button is always there.
    const play = (name, hand) => () => (quick ? send({ hand, revision: line.revision }) : ask(name));
    row.push(
      button(t("end_turn"), play("end_turn", "end"), { id: "end-turn", title: tip("end_turn"), disabled: !mine(state, state.side) || (quick ? !!state.over : !state.ends), class: state.ends ? "main" : "" }),
      button(t("take_back"), () => ask("take_back"), { id: "take-back", title: tip("take_back") }),
      state.coins ? button(t("raise"), play("raise", "raise"), { id: "raise", title: tip("raise"), disabled: !quick && !state.raise }) : null,
      // On a board on the screen wood and belief are the same: there is nothing to accept.
      line.hands ? null : button(t(state.lit ? "accept.lit" : "accept"), () => ask("accept"), { id: "accept", title: state.lit ? tip("accept.lit") : tip("accept") }),
      button(t("show_all"), () => ask("show_all"), { id: "show-all", title: tip("show_all") }));
  }
  fillRow($("buttons"), row.filter(Boolean));
  $("more").hidden = !can || lesson;
  fillRow($("more-buttons"), !can || lesson ? [] : [
    button(t("new_game"), newGame, { id: "new-game" }),
    button(t("play.computer"), computer, { id: "play-computer" }),
    button(t("position"), position, { id: "position" }),
    ...holdButtons(state),
    ...(alone ? [] : [button(t("agree_draw"), () => sure(t("sure.agree_draw"), () => ask("agree_draw")), { disabled: !!state.over, id: "draw" })]),
    ...[0, 1].filter((side) => state.seats[side] === null && mine(state, side)).map((side) => button(`${t("resign")}: ${t(`side.${side}`)}`, () => sure(t("sure.resign", { side }), () => ask("resign", { side })), { disabled: !!state.over, id: `resign-${side}` })),
    button(t("abandon"), () => sure(t("sure.abandon"), nextGame), { id: "abandon", title: tip("abandon"), disabled: !!state.over }),
    ...(line.hands && !quick ? [button(t("clear"), () => ask("clear"), { id: "clear" })] : [])]);
}

// Leaves a button alone that says what it said, so that it keeps the focus.
function fillRow(row, wanted) {
  const same = row.children.length === wanted.length && wanted.every((each, k) => {
    const old = row.children[k];
    return old.textContent === each.textContent && old.disabled === each.disabled && old.className === each.className && old.title === each.title && old.ariaPressed === each.ariaPressed;
  });
  row.hidden = !wanted.length;
  if (!same) row.replaceChildren(...wanted);
}

export function showTools(view) {
  const tools = [
    button(t("flip"), () => view.flip(), { id: "flip" }),
    button(t("names"), () => view.names(), { id: "names", "aria-pressed": String(view.named) })];
  tools.push(button(t("sound"), () => { sound.toggle(); showTools(view); }, { id: "sound", "aria-pressed": String(sound.on) }));
  if (line.may && line.hands) {
    tools.push(button(t("quick"), () => send({ hand: "quick", x: view.quick ? 0 : 1 }), { id: "quick", title: tip("quick"), "aria-pressed": String(view.quick) }));
    if (!view.quick) tools.push(button(t("shaky"), () => send({ hand: "shaky", x: view.shaky ? 0 : 1 }), { id: "shaky", title: tip("shaky"), "aria-pressed": String(view.shaky) }));
  }
  $("tools").replaceChildren(...tools);
}

// -- log ------------------------------------------------------------------------------------------

// A turn a row; folded in it what came of each action, and the way to look at it again.
export function showLog(message, names, look) {
  const log = $("log");
  const follows = log.scrollTop + log.clientHeight > log.scrollHeight - 30;
  const open = new Set([...log.querySelectorAll("details[open]")].map((each) => each.dataset.turn));
  let ply = 0;
  const rows = message.turns.map(([side, actions, events], turn) => {
    const parts = actions.map((action, k) => {
      ply += 1;
      const at = ply;
      return el("li", {}, button(action, () => look(at), { class: "look" }),
        ...events[k].map((event) => el("span", { class: "came" }, sentence(names, event))));
    });
    return el("li", { class: `side${side}` }, el("details", { "data-turn": turn, ...(open.has(String(turn)) ? { open: true } : {}) },
      el("summary", {}, actions.join(" ")), el("ul", {}, ...parts)));
  });
  log.replaceChildren(...rows);
  if (follows) log.scrollTop = log.scrollHeight;
}

let lastNotice = null;

export function showNotice([number, message]) {
  if (lastNotice !== null && number !== lastNotice && message[0]) toast(said(message));
  lastNotice = number;
}

// -- lesson ---------------------------------------------------------------------------------------

export function showLesson(state) {
  const lesson = state.lesson;
  $("lesson").hidden = !lesson;
  if (!lesson) return $("lesson").replaceChildren();
  const last = lesson.number === lesson.of;
  $("lesson").replaceChildren(
    el("p", { class: "small" }, t("lesson.head", { n: lesson.number, m: lesson.of })),
    el("h2", {}, t(`lesson.${lesson.step}.title`)),
    el("p", {}, lesson.done ? (last ? t("lesson.end") : t("lesson.well")) : t(`lesson.${lesson.step}`)),
    !line.may ? "" : el("div", { class: "row" },
      last ? null : button(t(lesson.done ? "lesson.next" : "lesson.skip"), () => ask("lesson", { step: "next" }), { id: "lesson-next", class: lesson.done ? "main" : "" }),
      button(t("lesson.repeat"), () => ask("lesson", { step: lesson.step }), { id: "lesson-repeat" }),
      button(t("lesson.stop"), () => ask("lesson", { step: "stop" }), { id: "lesson-stop", class: lesson.done && last ? "main" : "" })));
}
