// The page: it shows what the table says and hands on what people ask for. No rule is in it.

import { Board } from "./board.js";
import { showCalibration } from "./calibrate.js";
import { againstComputer, codeDialog, enter, firstVisit, keysDialog, newGameDialog, otherBoardDialog, settingsDialog } from "./dialogs.js";
import { $, closeDialog, toTheBoard } from "./dom.js";
import { gamesDialog } from "./games.js";
import { Hands } from "./hands.js";
import { ask, connect, connecting, line, on } from "./net.js";
import { showButtons, showLesson, showLog, showNotice, showSeats, showTools, showWords } from "./panel.js";
import { Story } from "./story.js";
import { sound } from "./sounds.js";
import { positionDialog } from "./position.js";
import { Lookback } from "./lookback.js";
import { glow } from "./glow.js";
import { remember, remembered, t, translate } from "./texts.js";

let board = null;
let hands = null;
let state = null;
let pieces = null;
let health = null;
let calibration = null;
let contacts = null;
let actions = null;
let log = null;

// While an action is told the board shows what has been told of it, and words wait for its end.
const story = new Story(
  (rows) => {
    board?.showPieces(rows);
    board?.showChoice(null);
    board?.layers.named.replaceChildren();
  },
  (text) => { $("words").textContent = text; $("why").textContent = ""; },
  () => redraw(),
  (event) => sound.of(event),
);

const look = new Lookback(
  (rows, ply) => {
    story.finish();
    board.showPieces(rows);
    board.showChoice(null);
    board.showTraces(ply.events ?? []);
  },
  () => redraw(),
);

const view = {
  flipped: remembered("flipped") === "yes",
  named: remembered("names") === "yes",
  shaky: false,
  get quick() { return pieces?.quick ?? false; },
  flip() {
    story.finish();
    this.flipped = !this.flipped;
    remember("flipped", this.flipped ? "yes" : "no");
    board?.flip(this.flipped);
    redraw();
  },
  names() {
    this.named = !this.named;
    remember("names", this.named ? "yes" : "no");
    redraw();
  },
};

function redraw() {
  if (board && calibration) {
    board.root.classList.toggle("named", view.named);
    showCalibration(calibration, contacts, board, { needCode: codeDialog });
    showTools(view);
  }
  if (!board || !state) return;
  board.root.classList.toggle("named", view.named);
  if (story.active || look.active) return; // all is shown when it has been told
  showWords(state, board, line.open);
  showSeats(state, view.flipped);
  showButtons(state, board, { quick: view.quick, needCode: codeDialog, newGame: () => newGameDialog(state), computer: () => againstComputer(state), position: () => positionDialog(state.code, state.board === "standard" ? "" : board.message.file) });
  showTools(view);
  showLesson(state);
  $("open-lesson").hidden = !line.may;
  showPieces();
  showTraces();
  glow(board);
}

// At a simulated table pieces are where hands have put them; at a real one where they are believed.
function showPieces() {
  if (!hands) return;
  if (line.hands && pieces) {
    view.shaky = pieces.shaky;
    if (!story.active && !look.active) hands.show(pieces);
  } else if (!line.hands && state) {
    const rows = state.believed.map(([space, letter]) => [`${space}${letter}`, letter, space]);
    for (const side of [0, 1]) {
      for (let k = 0; k < Math.min(10, state.reserve[side]); k++) rows.push([`r${side}${k}`, side ? "f" : "F", -1]);
    }
    hands.show({ p: rows });
  }
}

on("hello", () => { actions = null; document.body.dataset.line = "open"; redraw(); welcome(); });
on("closed", () => { story.finish(); document.body.dataset.line = "lost"; redraw(); });
on("board", (message) => {
  story.finish();
  const colours = board?.colours;
  board = new Board(message);
  board.flip(view.flipped);
  if (colours && colours.length === 6 * message.names.length) board.light(colours);
  hands = calibration ? null : new Hands(board, state ?? {});
  if (hands) Object.assign(hands, { touched: () => story.finish(), help: keysDialog, looking: () => look.active });
  $("table").replaceChildren(board.root);
  showTheLog();
  redraw();
});
// A calibration has the page for itself; what comes after it, or before, begins anew.
on("calibration", (message) => {
  if (state) return location.reload();
  if (!calibration) view.named = true;
  hands = null;
  document.body.dataset.mode = "calibration";
  calibration = message;
  redraw();
});
on("contacts", (message) => { contacts = message; redraw(); });
on("state", (message) => {
  if (calibration) return location.reload();
  actions ??= message.told;
  if (message.over && state && !state.over) sound.play("win");
  state = message;
  line.revision = message.revision;
  if (hands) hands.state = state;
  redraw();
  showNotice(message.notice);
  welcome();
});
on("frame", (message) => {
  board?.light(message.c);
  hands?.relabel();
});
on("pieces", (message) => {
  if (message.choice && message.choice[0] !== pieces?.choice?.[0]) sound.play("lift");
  const [shaky, quick] = [pieces?.shaky, pieces?.quick];
  pieces = message;
  showPieces();
  if (shaky !== message.shaky || quick !== message.quick) redraw();
});
// What was played before this page came is not told again.
on("action", (message) => {
  const fresh = actions !== null && message.n > actions;
  actions = message.n;
  if (fresh && board && hands && view.quick && !look.active && document.visibilityState === "visible") {
    hands.mine = null;
    story.tell(message, board, hands.rows);
  }
});
on("log", (message) => {
  log = message;
  look.played(message.turns.reduce((n, [, actions]) => n + actions.length, 0));
  showTheLog();
});

function showTheLog() {
  if (!board || !log) return;
  showLog(log, board.message.names, (ply) => look.go(ply));
  if (!look.active) showTraces();
}

// Where the last action came from and went to, and what it pushed.
function showTraces() {
  const last = log?.last;
  board?.showTraces(last && !story.active ? [...(last.move ? [["move", ...last.move]] : []), ...last.events] : []);
}

const typing = (target) => ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName) || target.closest("dialog");
document.addEventListener("keydown", (event) => {
  if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const onBoard = event.target.dataset?.spot !== undefined && !look.active;
  if (event.key === "," || (event.key === "ArrowLeft" && !onBoard)) look.step(-1);
  else if (event.key === "." || (event.key === "ArrowRight" && !onBoard)) look.step(1);
  else if (event.key === "Escape" && look.active) look.end();
  else if (event.key === "?" && !onBoard) keysDialog();
});
$("table").addEventListener("wheel", (event) => {
  const scrolls = document.documentElement.scrollHeight > innerHeight + 1;
  if (scrolls || event.ctrlKey || !event.deltaY) return;
  event.preventDefault();
  look.step(Math.sign(event.deltaY));
}, { passive: false });
on("health", (message) => { health = message; });

function welcome() {
  if (!line.may || !state || state.lesson || remembered("visited") === "yes" || $("dialog").open) return;
  remember("visited", "yes");
  firstVisit(state, { learn: () => ask("lesson", { step: "move" }), computer: () => againstComputer(state) });
}

$("open-lesson").addEventListener("click", () => {
  if (state?.teaches) {
    toTheBoard();
    ask("lesson", { step: "move" });
  } else if (state) otherBoardDialog(state);
});
$("open-games").addEventListener("click", gamesDialog);
$("open-settings").addEventListener("click", () => state && settingsDialog(state, health, board.message.names, redraw));
$("dialog-close").addEventListener("click", closeDialog);
$("dialog-close").setAttribute("aria-label", t("close"));

translate(document);
$("words").textContent = t("off");
const shown = /^#position=([^&]{1,1000})$/.exec(location.hash);
if (shown) {
  history.replaceState(null, "", location.pathname);
  positionDialog(decodeURIComponent(shown[1]), "");
}
const given = /^#code=([0-6]{4})$/.exec(location.hash);
if (given) {
  history.replaceState(null, "", location.pathname);
  await enter(given[1]);
}
if (!connecting()) connect();
