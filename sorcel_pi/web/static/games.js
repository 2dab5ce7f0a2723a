// The library: stored games, each replayed with a slider, its cascades piece by piece.

import { Board } from "./board.js";
import { button, el, openDialog } from "./dom.js";
import { isolated } from "./names.js";
import { get } from "./net.js";
import { givenName, t } from "./texts.js";

const EVENT_MS = 420;
const PAUSE_MS = 900;

// Where each part of the list that has been gone through begins; the last is the one shown.
let trail = [];

export function gamesDialog() {
  trail = [""];
  return showGames();
}

async function showGames() {
  stop();
  const found = await get(`api/games${trail.at(-1)}`);
  if (!found) return;
  const { games, older } = found;
  const rows = games.map((game) => el("li", {}, button(title(game), () => openGame(game), { disabled: !game.readable })));
  const go = (change) => () => { change(); return showGames(); };
  openDialog(t("games"), games.length ? el("ul", { class: "games" }, ...rows) : el("p", {}, t("games.none")), el("div", { class: "row" },
    trail.length > 1 ? button(t("games.newer"), go(() => trail.pop()), { id: "games-newer" }) : null,
    older ? button(t("games.older"), go(() => trail.push(`?before=${games.at(-1).id}`)), { id: "games-older" }) : null));
  document.getElementById("dialog").scrollTop = 0;
}

function title(game) {
  const names = [0, 1].map((side) => { const name = givenName(game.players, side); return name ? isolated(name) : t(`side.${side}`); }).join(" – ");
  const when = new Date(game.started).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  const [word] = game.outcome.split(" ");
  const how = word ? t(`win.${word}`) : t(`games.${game.status}`);
  return game.readable ? `${names} · ${when} · ${t("games.actions", { n: game.actions })} · ${how}` : `${game.id}: ${t("games.unreadable")}`;
}

let running = 0;

function stop() { running += 1; }

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// -- one game -------------------------------------------------------------------------------------

async function openGame(summary) {
  const game = await get(`api/games/${summary.id}`);
  if (!game) return;
  const board = new Board(game.board);
  board.root.setAttribute("aria-hidden", "true");
  const slider = el("input", { type: "range", min: 0, max: game.plies.length - 1, value: 0, id: "replay-slider", "aria-label": t("games.slider") });
  const told = el("p", { class: "told", role: "status", id: "replay-told" });
  const step = el("p", { class: "hint", id: "replay-event" });
  const player = { game, board, told, step, slider, ply: 0, pieces: [] };
  const play = button(t("games.play"), () => toggle(player, play), { class: "main", id: "replay-play" });
  const go = (ply) => { stop(); play.textContent = t("games.play"); show(player, ply); };
  slider.addEventListener("input", () => go(Number(slider.value)));
  const named = (text, sign, click, id) => button(sign, click, { "aria-label": text, title: text, id });
  openDialog(title(summary), board.root, told, step, slider, el("div", { class: "row" },
    named(t("games.first"), "«", () => go(0), "replay-first"),
    named(t("games.prev"), "‹", () => go(player.ply - 1), "replay-prev"), play,
    named(t("games.next"), "›", async () => { go(player.ply); await advance(player, running); }, "replay-next"),
    named(t("games.last"), "»", () => go(game.plies.length - 1), "replay-last")),
  el("div", { class: "row" }, button(t("games.back"), showGames, { id: "replay-back" }), el("a", { href: `games/${summary.id}.txt`, download: true }, t("games.record"))));
  document.getElementById("dialog").addEventListener("close", stop, { once: true });
  show(player, 0);
}

async function toggle(player, play) {
  const plays = play.dataset.plays === String(running);
  stop();
  play.textContent = t(plays ? "games.play" : "games.pause");
  if (plays) return;
  const mine = running;
  play.dataset.plays = String(mine);
  if (player.ply >= player.game.plies.length - 1) show(player, 0);
  while (running === mine && player.ply < player.game.plies.length - 1) {
    await advance(player, mine);
    await pause(PAUSE_MS);
  }
  if (running === mine) { stop(); play.textContent = t("games.play"); }
}

// Pieces get keys of their own, so that they glide from where they stood.
function show(player, ply) {
  player.ply = Math.max(0, Math.min(player.game.plies.length - 1, ply));
  const now = player.game.plies[player.ply];
  player.slider.value = player.ply;
  player.told.textContent = player.ply ? `${player.ply}. ${action(now)}` : t("games.start");
  player.step.textContent = "";
  player.pieces = keyed(now);
  player.board.showPieces(player.pieces);
}

export function keyed(ply) {
  const rows = ply.pieces.map(([space, letter]) => [`b${space}${letter}`, letter, space]);
  for (const side of [0, 1]) {
    for (let k = 0; k < Math.min(10, ply.reserve[side]); k++) rows.push([`r${side}${k}`, side ? "f" : "F", -1]);
    for (let k = 0; k < ply.lost[side]; k++) rows.push([`l${side}${k}`, side ? "s" : "S", -1]);
  }
  return rows;
}

const names = (player) => player.game.board.names;

async function advance(player, mine) {
  if (player.ply >= player.game.plies.length - 1) return;
  const next = player.game.plies[player.ply + 1];
  player.told.textContent = `${player.ply + 1}. ${action(next)}`;
  const move = /^(?:([a-o]\d+)([a-o]\d+)|\+([a-o]\d+)(=\d+)?)$/.exec(next.text);
  if (move) {
    const at = (name) => names(player).indexOf(name);
    if (move[1]) shift(player, at(move[1]), at(move[2]));
    else bring(player, next.side, at(move[3]));
    await pause(EVENT_MS);
  }
  for (const [kind, letter, origin, target] of next.events) {
    if (running !== mine) return;
    player.step.textContent = t(`ev.${kind}`, { kind: letter, at: names(player)[origin], to: target === null ? "" : names(player)[target] });
    shift(player, origin, target ?? -1, letter);
    await pause(EVENT_MS);
  }
  if (running === mine) show(player, player.ply + 1);
}

function shift(player, origin, target, letter) {
  const rows = player.pieces;
  const row = rows.find((each) => each[2] === origin && (!letter || each[1] === letter));
  if (!row) return;
  row[2] = target;
  player.board.showPieces(rows);
}

function bring(player, side, target) {
  const row = player.pieces.find((each) => each[2] === -1 && each[1] === (side ? "f" : "F"));
  if (!row) return;
  row[2] = target;
  player.board.showPieces(player.pieces);
}

function action(ply) {
  const side = ply.side;
  const move = /^(?:([a-o]\d+)([a-o]\d+)|\+([a-o]\d+)(=\d+)?)$/.exec(ply.text);
  if (!move) return t(`act.${ply.text}`, { side });
  return move[1] ? t("act.step", { side, at: move[1], to: move[2] }) : t("act.place", { side, to: move[3] });
}
