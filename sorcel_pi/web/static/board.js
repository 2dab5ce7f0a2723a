// A board drawn from the board file: wood, holes, lights, pieces, and trays beside it.

import { calmed } from "./calm.js";
import { svg } from "./dom.js";

export const TRAY = 66;
const LENS = [0.43 * Math.cos(Math.PI / 6), -0.43 * Math.sin(Math.PI / 6)];
const RINGS = [[0.62, 0.06], [0.54, 0.07], [0.46, 0.09], [0.38, 0.11], [0.3, 0.14], [0.22, 0.2], [0.15, 0.4]];

const points = (list) => `M${list.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}z`;

function corners(x, y, radius, turn = Math.PI / 6) {
  return [0, 1, 2, 3, 4, 5].map((k) => [x + radius * Math.cos(turn + k * Math.PI / 3), y + radius * Math.sin(turn + k * Math.PI / 3)]);
}

// A piece: Light wears a dot, Dark a crescent; a Sentinel is large and wears a crown.
export function drawPiece(letter, pitch) {
  const sentinel = letter.toLowerCase() === "s";
  const dark = letter === letter.toLowerCase();
  const r = (sentinel ? 0.36 : 0.27) * pitch;
  const group = svg("g", { class: `piece ${dark ? "dark" : "light"} ${sentinel ? "sentinel" : "shif"}` });
  const body = svg("g", { class: "body" });
  const lift = sentinel ? 5 : 3;
  group.append(svg("ellipse", { class: "shadow", cx: lift, cy: lift * 1.4, rx: r, ry: r, fill: "#1d0f05", "fill-opacity": 0.45 }), body);
  if (letter === "?") {
    body.append(svg("circle", { r, fill: "#999", stroke: "#333", "stroke-width": 2 }));
    return group;
  }
  body.append(
    svg("circle", { r, class: "under", cy: lift * 0.5 }),
    svg("circle", { r, class: "face" }),
    svg("circle", { r: r - 0.06 * pitch, class: "bevel" }),
  );
  if (sentinel) {
    const crown = [...Array(16).keys()].map((k) => {
      const radius = (k % 2 ? 0.27 : 0.19) * pitch;
      return [radius * Math.cos(k * Math.PI / 8), radius * Math.sin(k * Math.PI / 8)];
    });
    body.append(svg("path", { d: points(crown), class: "crown" }));
  }
  const m = 0.1 * pitch;
  body.append(dark
    ? svg("path", { d: `M${0.6 * m} ${-0.9 * m}A${m} ${m} 0 1 0 ${0.6 * m} ${0.9 * m}A${0.95 * m} ${0.95 * m} 0 0 1 ${0.6 * m} ${-0.9 * m}z`, class: "sign" })
    : svg("circle", { r: m, class: "sign" }));
  return group;
}

export class Board {
  constructor(message, { trays = true } = {}) {
    this.message = message;
    this.flipped = false;
    this.pieces = new Map();
    this.width = message.width;
    this.tray = trays ? TRAY : 0;
    this.height = message.height + 2 * this.tray;
    this.root = svg("svg", { viewBox: `0 0 ${this.width} ${this.height}`, class: "board", role: "group" });
    this.layers = {};
    for (const name of ["wood", "edges", "traces", "lights", "names", "named", "targets", "pieces", "top", "spots"]) {
      this.layers[name] = svg("g", { class: name });
      this.root.append(this.layers[name]);
    }
    this.draw();
  }

  // Where a space or a point of the drawing is on the screen, either side at the bottom.
  place([x, y]) {
    return this.flipped ? [this.width - x, this.message.height - y + this.tray] : [x, y + this.tray];
  }

  centre(space) { return this.place(this.message.centres[space]); }

  // Millimetres from the middle of a simulated table, and back.
  toTable([x, y]) {
    const scale = this.message.mm / this.message.pitch;
    const sign = this.flipped ? -1 : 1;
    return [sign * (x - this.width / 2) * scale, sign * (this.height / 2 - y) * scale];
  }

  fromTable([x, y]) {
    const scale = this.message.pitch / this.message.mm;
    const sign = this.flipped ? -1 : 1;
    return [this.width / 2 + sign * x * scale, this.height / 2 - sign * y * scale];
  }

  hexAt([x, y]) {
    let best = -1;
    let near = (this.message.pitch * 0.6) ** 2;
    this.message.centres.forEach((_, space) => {
      const [cx, cy] = this.centre(space);
      const distance = (cx - x) ** 2 + (cy - y) ** 2;
      if (distance < near) [near, best] = [distance, space];
    });
    return best;
  }

  flip(flipped) {
    this.flipped = flipped;
    this.draw();
  }

  draw() {
    const { pitch, side, holes, names, tone } = this.message;
    const { wood, lights, names: labels } = this.layers;
    const middle = [this.width / 2, this.height / 2];
    const corner = pitch / Math.sqrt(3);
    const radius = (pitch * (side - 1) * Math.sqrt(3) / 2 + corner + 0.2 * pitch) * 2 / Math.sqrt(3);
    wood.replaceChildren(
      svg("path", { d: points(corners(middle[0] + 3, middle[1] + 7, radius, 0)), class: "rim-shadow" }),
      svg("path", { d: points(corners(...middle, radius, 0)), class: "rim" }),
    );
    labels.replaceChildren();
    this.lamps = [];
    lights.replaceChildren();
    names.forEach((name, space) => {
      const [x, y] = this.centre(space);
      const hole = holes.includes(space);
      wood.append(svg("path", { d: points(corners(x, y, corner - 0.8)), class: `hex tone${tone[space]}` }));
      if (hole) wood.append(svg("circle", { cx: x, cy: y, r: 0.39 * pitch, class: "hole" }));
      const turn = this.flipped ? -1 : 1;
      const [lx, ly] = [x + turn * LENS[0] * pitch, y + turn * LENS[1] * pitch];
      const glow = svg("g", { class: "glow", opacity: 0 },
        svg("path", { d: points(corners(x, y, corner - 3)), "fill-opacity": 0.34, "stroke-width": 3.4, "stroke-opacity": 0.95 }),
        ...RINGS.map(([r, alpha]) => svg("circle", { cx: lx, cy: ly, r: r * pitch, "fill-opacity": alpha, stroke: "none" })),
        svg("circle", { class: "lens", cx: lx, cy: ly, r: 0.085 * pitch }));
      lights.append(svg("circle", { class: "pod", cx: lx, cy: ly, r: 0.07 * pitch }), glow);
      this.lamps.push({ glow, colour: "", since: -Infinity });
      labels.append(svg("text", { x, y: y + 0.48 * pitch, class: hole ? "of-hole" : "" }, name));
    });
    this.drawRim();
    if (this.tray) this.drawTrays();
    const shown = this.colours;
    this.colours = "";
    if (shown) this.light(shown);
    for (const piece of this.pieces.values()) this.layers.pieces.append(piece.group);
  }

  // Letters at the left end of each row, numbers at the lower end of each column.
  drawRim() {
    const { names, pitch } = this.message;
    const ends = new Map();
    names.forEach((name, space) => {
      const letter = name.replace(/\d+/, "");
      const number = name.slice(letter.length);
      if (!ends.has(letter)) ends.set(letter, [space, -0.66, 0]);
      if (!ends.has(number)) ends.set(number, [space, 0.33, 0.6]);
    });
    const turn = this.flipped ? -1 : 1;
    this.layers.edges.replaceChildren();
    for (const [text, [space, dx, dy]] of ends) {
      const [x, y] = this.centre(space);
      this.layers.edges.append(svg("text", { class: "of-rim", x: x + turn * dx * pitch, y: y + turn * dy * pitch + 0.08 * pitch }, text));
    }
  }

  drawTrays() {
    for (const side of [0, 1]) {
      const y = this.trayY(side);
      this.layers.wood.append(svg("rect", { class: `tray side${side}`, x: 0.12 * this.width, y: y - 25, width: 0.76 * this.width, height: 50, rx: 25 }));
    }
  }

  trayY(side) {
    return (side === 0) === !this.flipped ? this.height - this.tray / 2 - 4 : this.tray / 2 + 4;
  }

  trayPlace(side, index, count) {
    const room = 0.76 * this.width - 60;
    const step = Math.min(50, room / Math.max(1, count - 1));
    return [this.width / 2 + (index - (count - 1) / 2) * step, this.trayY(side)];
  }

  // Six hexadecimal digits for each light, as sent to it: light is shown as the eye takes it.
  light(colours) {
    if (colours === this.colours) return;
    this.colours = colours;
    const again = () => { this.colours = ""; this.light(colours); };
    this.lamps.forEach((lamp, space) => {
      const colour = calmed(lamp, colours.slice(6 * space, 6 * space + 6), () => { if (this.colours === colours) again(); });
      if (colour === lamp.colour) return;
      lamp.colour = colour;
      if (lamp.glow.classList.contains("on")) lamp.since = performance.now();
      const channels = [0, 2, 4].map((k) => parseInt(colour.slice(k, k + 2), 16));
      const most = Math.max(...channels);
      if (most) {
        const seen = channels.map((c) => Math.round(255 * (c / most) ** (1 / 2.2)));
        lamp.glow.setAttribute("fill", `rgb(${seen})`);
        lamp.glow.setAttribute("stroke", `rgb(${seen})`);
      }
      lamp.glow.setAttribute("opacity", most ? (0.06 + 0.94 * (most / 255) ** (1 / 2.2)).toFixed(3) : 0);
      lamp.glow.classList.toggle("on", most > 0);
    });
  }

  // A light that blinks counts as lit in between.
  isLit(space) {
    const lamp = this.lamps[space];
    return lamp !== undefined && (lamp.colour > "000000" || performance.now() - lamp.since < 1000);
  }

  // Pieces: rows of [key, letter, space] or [key, letter, null, x, y] in units of the drawing, or
  // with space -1 for the tray of its side.
  showPieces(all) {
    // Of another board, whose own drawing has not come yet or has just gone, some spaces are not here.
    const rows = all.filter(([, , space]) => space === null || space < this.message.centres.length);
    const seen = new Set();
    const trays = [[], []];
    for (const row of rows) if (row[2] === -1) trays[row[1] === row[1].toLowerCase() ? 1 : 0].push(row);
    for (const row of rows) {
      const [key, letter, space] = row;
      seen.add(key);
      let piece = this.pieces.get(key);
      if (!piece || piece.letter !== letter) {
        piece?.group.remove();
        piece = { key, letter, group: drawPiece(letter, this.message.pitch) };
        this.pieces.set(key, piece);
        this.layers.pieces.append(piece.group);
      }
      const side = letter === letter.toLowerCase() ? 1 : 0;
      piece.space = space;
      piece.side = side;
      const held = space === null;
      piece.group.classList.toggle("held", held);
      piece.group.classList.toggle("sunk", !held && this.message.holes.includes(space));
      const at = held ? [row[3], row[4]]
        : space >= 0 ? this.centre(space)
          : this.trayPlace(side, trays[side].indexOf(row), trays[side].length);
      this.movePiece(piece, at);
      if (held) this.layers.top.append(piece.group);
      else if (piece.group.parentNode !== this.layers.pieces) this.layers.pieces.append(piece.group);
    }
    for (const [key, piece] of this.pieces) {
      if (seen.has(key)) continue;
      piece.group.remove();
      this.pieces.delete(key);
    }
  }

  // The piece that is taken up, and where the one who took it up may put it.
  showChoice(choice, client) {
    for (const piece of this.pieces.values()) piece.group.classList.toggle("chosen", piece.key === choice?.piece);
    const targets = choice !== null && choice.client === client ? choice.targets : [];
    this.layers.targets.replaceChildren(...targets.map((space) => {
      const [cx, cy] = this.centre(space);
      return svg("circle", { class: "target", cx, cy, r: 0.13 * this.message.pitch });
    }));
  }

  // An arrow for each piece that moved, a cross for each that left the board.
  showTraces(events) {
    const pitch = this.message.pitch;
    this.layers.traces.replaceChildren(...events.flatMap(([kind, , origin, target]) => {
      if (origin === null) return [svg("circle", { class: "trace come", cx: this.centre(target)[0], cy: this.centre(target)[1], r: 0.42 * pitch })];
      const [x, y] = this.centre(origin);
      const mark = svg("circle", { class: `trace ${kind}`, cx: x, cy: y, r: 0.3 * pitch });
      if (target === null || target < 0) return [mark];
      const [tx, ty] = this.centre(target);
      return [mark, svg("line", { class: `trace ${kind}`, x1: x, y1: y, x2: tx, y2: ty })];
    }));
  }

  movePiece(piece, [x, y]) {
    piece.at = [x, y];
    piece.group.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  // The point of the drawing under the pointer.
  point(event) {
    const matrix = this.root.getScreenCTM().inverse();
    return [event.clientX * matrix.a + matrix.e, event.clientY * matrix.d + matrix.f];
  }
}
