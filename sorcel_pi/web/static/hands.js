// Hands on the board: a focus that arrow keys move, and at a simulated table lifting and dropping.
// It moves pieces as a hand would and knows no rule; what that means, the table says.

import { svg } from "./dom.js";
import { line, send } from "./net.js";
import { t } from "./texts.js";

const STEP_MS = 33;
const DRAG_PX = 7;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Hands {
  constructor(board, state) {
    this.board = board;
    this.state = state;
    this.rows = [];
    this.mine = null;
    this.press = null;
    this.sent = 0;
    this.focus = 0;
    this.spots = new Map();
    this.quick = false;
    this.choice = null;
    this.touched = () => {};
    this.help = () => {};
    this.looking = () => false;
    const root = board.root;
    root.addEventListener("contextmenu", (event) => { if (this.mine || this.choice) { event.preventDefault(); this.cancel(); } });
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("pointermove", (event) => this.move(event));
    root.addEventListener("pointerup", (event) => this.up(event));
    root.addEventListener("pointercancel", () => this.cancel());
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("focusin", (event) => { const at = event.target.dataset?.spot; if (at !== undefined) this.focusOn(at); });
  }

  get able() { return line.may && line.hands && !this.looking(); }

  // -- what the table says --------------------------------------------------------------------

  show({ p: rows, quick = false, choice = null }) {
    this.rows = rows;
    this.quick = quick;
    this.choice = choice && { piece: choice[0], client: choice[1], back: choice[2], targets: choice[3] };
    if (quick) {
      if (this.mine?.put && this.choice?.piece !== this.mine.piece) this.mine = null;
      this.draw();
      return;
    }
    const held = rows.find((row) => row.length === 5 && row[2] === line.client);
    if (this.mine && !held && performance.now() - this.mine.since > 400) this.mine = null;
    if (!this.mine && held) this.mine = { piece: held[0], at: this.board.fromTable([held[3], held[4]]), since: 0 };
    this.draw();
  }

  draw() {
    this.board.showPieces(this.rows.map((row) => {
      if (this.mine && row[0] === this.mine.piece) return [row[0], row[1], null, ...this.mine.at];
      if (row.length === 5) return [row[0], row[1], null, ...this.board.fromTable([row[3], row[4]])];
      return row;
    }));
    this.board.showChoice(this.quick ? this.choice : null, line.client);
    this.drawSpots();
  }

  // -- pointer --------------------------------------------------------------------------------

  pieceAt(point) {
    const space = this.board.hexAt(point);
    if (space >= 0) return [...this.board.pieces.values()].find((piece) => piece.space === space) ?? null;
    let best = null;
    let near = 30 ** 2;
    for (const piece of this.board.pieces.values()) {
      if (piece.space !== -1) continue;
      const distance = (piece.at[0] - point[0]) ** 2 + (piece.at[1] - point[1]) ** 2;
      if (distance <= near) [near, best] = [distance, piece];
    }
    return best;
  }

  down(event) {
    if (!this.able || event.button !== 0) return;
    this.touched();
    const point = this.board.point(event);
    if (this.quick) {
      const piece = this.pieceAt(point);
      this.press = { piece: piece?.key ?? -1, at: piece?.at ?? point, beside: piece?.space === -1, x: event.clientX, y: event.clientY };
    } else if (this.mine && !this.mine.put) {
      this.press = { drop: true };
    } else {
      const piece = this.pieceAt(point);
      if (!piece) return;
      this.press = { piece: piece.key, at: piece.at, x: event.clientX, y: event.clientY };
    }
    this.board.root.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  move(event) {
    const point = this.board.point(event);
    const press = this.press;
    if (press && !press.drop && !this.mine && Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_PX) {
      if (this.quick) this.take(press);
      else this.lift(press.piece, press.at, true);
      press.drags = press.piece >= 0;
    }
    if (this.mine) this.carry(point);
  }

  up(event) {
    const press = this.press;
    this.press = null;
    if (!press) return;
    const point = this.board.point(event);
    if (this.quick && press.drags) this.put(point);
    else if (this.quick) this.click(this.board.point(event), press.beside ? press.piece : -1);
    else if (press.drop || press.drags) this.drop(point);
    else this.lift(press.piece, press.at, false);
  }

  cancel() {
    this.press = null;
    this.back();
  }

  // -- quick play: what is clicked on is sent; the table does one after the other ----------------

  click(point, piece) {
    this.send("click", point, { piece });
  }

  take(press) {
    if (press.piece < 0) return;
    this.mine = { piece: press.piece, at: [...press.at], since: performance.now() };
    send({ hand: "take", piece: press.piece });
    this.draw();
  }

  put(point) {
    if (!this.mine) return;
    Object.assign(this.mine, { at: point, put: true });
    this.send("put", point);
    setTimeout(() => { if (this.mine?.put) { this.mine = null; this.draw(); } }, 1500);
  }

  // -- what a hand does -----------------------------------------------------------------------

  lift(piece, at, slides) {
    this.mine = { piece, at: [...at], since: performance.now() };
    send({ hand: "lift", piece, slides });
    this.draw();
  }

  carry(point) {
    if (!this.mine) return;
    this.mine.at = point;
    const piece = this.board.pieces.get(this.mine.piece);
    if (piece) this.board.movePiece(piece, point);
    const now = performance.now();
    if (this.quick || now - this.sent < STEP_MS) return;
    this.sent = now;
    this.send("move", point);
  }

  drop(point) {
    if (!this.mine) return;
    // From now on a click is the next lift, also while the table still tells of this piece.
    Object.assign(this.mine, { at: point, put: true, since: performance.now() - 250 });
    this.send("drop", point);
    setTimeout(() => this.settle(), 450);
  }

  settle() {
    if (!this.quick) this.show({ p: this.rows });
  }

  back() {
    if (this.quick) {
      this.mine = null;
      send({ hand: "back" });
      this.draw();
      return;
    }
    if (!this.mine) return;
    this.mine.since = performance.now() - 250;
    send({ hand: "back" });
    setTimeout(() => this.settle(), 450);
  }

  send(hand, point, more = {}) {
    const [x, y] = this.board.toTable(point);
    send({ hand, x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10, ...more });
  }

  // -- keyboard and screen reader -------------------------------------------------------------

  // All that can have the focus: spaces by number, trays as t0 and t1, pieces in them as p and key.
  places() {
    const places = new Map(this.board.message.centres.map((_, space) => [String(space), this.board.centre(space)]));
    if (line.hands) {
      for (const side of [0, 1]) places.set(`t${side}`, [this.board.width * 0.06, this.board.trayY(side)]);
      for (const piece of this.board.pieces.values()) if (piece.space === -1) places.set(`p${piece.key}`, piece.at);
    }
    return places;
  }

  drawSpots() {
    const places = this.places();
    const pitch = this.board.message.pitch;
    for (const [at, spot] of this.spots) if (!places.has(at)) { spot.remove(); this.spots.delete(at); }
    for (const [at, [x, y]] of places) {
      let spot = this.spots.get(at);
      if (!spot) {
        spot = svg("g", { class: "spot", role: "button", "data-spot": at, tabindex: -1 },
          svg("circle", { class: "hit", r: pitch * 0.46 }), svg("circle", { class: "ring", r: pitch * 0.44 }));
        this.spots.set(at, spot);
        this.board.layers.spots.append(spot);
      }
      spot.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      const label = this.label(at);
      if (spot.getAttribute("aria-label") !== label) spot.setAttribute("aria-label", label);
    }
    if (!places.has(this.focus)) this.focus = "0";
    for (const [at, spot] of this.spots) spot.setAttribute("tabindex", at === this.focus ? 0 : -1);
    this.board.root.setAttribute("aria-label", t(this.able ? "board.label" : "board.look"));
  }

  // Says anew what is lit, some time after the lights have changed.
  relabel() {
    this.relabelling ??= setTimeout(() => {
      this.relabelling = undefined;
      this.drawSpots();
    }, 400);
  }

  label(at) {
    if (at.startsWith("t")) return t("spot.beside");
    if (at.startsWith("p")) return t("spot.tray", { kind: this.board.pieces.get(Number(at.slice(1)))?.letter });
    const space = Number(at);
    const gaps = { at: this.board.message.names[space] };
    const piece = [...this.board.pieces.values()].find((each) => each.space === space);
    const hole = this.board.message.holes.includes(space);
    let spot = piece ? t(hole ? "spot.held_piece" : "spot.piece", { ...gaps, kind: piece.letter }) : t(hole ? "spot.hole" : "spot.empty", gaps);
    if (this.board.isLit(space)) spot = t("spot.lit", { spot });
    return this.state.faulty?.includes(space) ? t("spot.faulty", { spot }) : spot;
  }

  focusOn(at) {
    this.spots.get(this.focus)?.setAttribute("tabindex", -1);
    this.focus = at;
    this.spots.get(at)?.setAttribute("tabindex", 0);
  }

  // The name of a space, typed, is where the focus goes.
  type(key) {
    this.typed = /[a-z]/.test(key) ? key : (this.typed ?? "") + key;
    const at = this.board.message.names.indexOf(this.typed);
    if (at < 0) return;
    this.focusOn(String(at));
    this.spots.get(String(at)).focus();
    if (this.mine && !this.quick) this.carry(this.board.centre(at));
  }

  key(event) {
    if (this.looking()) return;
    this.touched();
    const places = this.places();
    const here = places.get(this.focus);
    if (!here) return;
    if (event.key in ARROWS) {
      const [dx, dy] = ARROWS[event.key];
      let best = null;
      let least = Infinity;
      for (const [at, [x, y]] of places) {
        const along = (x - here[0]) * dx + (y - here[1]) * dy;
        const across = Math.abs((x - here[0]) * dy) + Math.abs((y - here[1]) * dx);
        const cost = along + 1.2 * across;
        if (at !== this.focus && along > 8 && across < along * 1.8 && cost < least) [least, best] = [cost, at];
      }
      if (best !== null) {
        this.focusOn(best);
        this.spots.get(best).focus();
        if (this.mine && !this.quick) this.carry(places.get(best));
      }
    } else if (event.key === "Enter" || event.key === " ") {
      if (!this.able) return;
      if (this.quick) {
        this.click(here, this.focus.startsWith("p") ? Number(this.focus.slice(1)) : -1);
        event.preventDefault();
        return;
      }
      if (this.mine) this.drop(this.focus.startsWith("t") ? [here[0], here[1]] : here);
      else {
        const piece = this.focus.startsWith("p")
          ? this.board.pieces.get(Number(this.focus.slice(1)))
          : [...this.board.pieces.values()].find((each) => String(each.space) === this.focus);
        if (!piece) return;
        this.lift(piece.key, piece.at, false);
        if (this.focus.startsWith("p")) {
          this.focusOn(`t${piece.side}`);
          this.spots.get(this.focus)?.focus();
        }
      }
    } else if (event.key === "Escape") {
      this.back();
    } else if (event.key === "?") {
      this.help();
    } else if (/^[a-z0-9]$/i.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      this.type(event.key.toLowerCase());
    } else {
      return;
    }
    event.preventDefault();
  }
}
