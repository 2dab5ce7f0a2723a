// Dialogs: the code, a new game, the settings.

import { button, closeDialog, el, openDialog, toTheBoard } from "./dom.js";
import { icon } from "./panel.js";
import { field, select } from "./form.js";
import { looksFields } from "./looks.js";
import { MOST } from "./names.js";
import { ask, connect, line, post } from "./net.js";
import { current, givenName, languages, remember, remembered, speak, t } from "./texts.js";

// -- the code -------------------------------------------------------------------------------------

export async function enter(code) {
  const answer = await post("/api/enter", { code });
  if (answer.ok) connect();
  return answer;
}

export function codeDialog() {
  const input = el("input", { inputmode: "numeric", autocomplete: "off", maxlength: 4, pattern: "[0-6]{4}", class: "code" });
  const trouble = el("p", { class: "hint", role: "alert" });
  const form = el("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      const answer = await enter(input.value.trim());
      if (answer.ok) closeDialog();
      else trouble.textContent = t(answer.error === "wait" ? "code.wait" : "code.wrong");
    },
  }, el("p", {}, t("code.how")), field(t("code.label"), input), trouble, el("div", { class: "row" },
    el("button", { class: "main" }, t("code.enter")),
    button(t(line.hands ? "code.show.terminal" : "code.show"), async () => {
      const answer = await post("/api/show_code");
      trouble.textContent = t(!answer.ok ? "code.wait" : line.hands ? "code.shown.terminal" : "code.shown");
    }, { id: "show-code" })));
  openDialog(t("code.need"), form);
  input.focus();
}

// -- a new game -----------------------------------------------------------------------------------

const number = (value, least, most) => el("input", { type: "number", value, min: least, max: most });
const tick = (checked) => el("input", { type: "checkbox", checked });

export function newGameDialog(state, wood = "") {
  const file = el("input", { type: "file", accept: ".toml", hidden: true });
  const board = select([["", t("new.same")], ["standard", t("new.standard")], ["file", t("new.file")]], wood, { id: "new-board" });
  const rules = select([["egressian", t("new.egressian")], ["ahumm", t("new.ahumm")]], state.rules.split(" ")[0], { id: "new-rules" });
  const house = {
    shifs: number(6, 0, 99), detained: number(3, 1, 8), placement_pushes: tick(false),
    early_end: tick(true), repetition: tick(false), purse: number(20, 0, 1000000), stake: number(1, 1, 1000000),
  };
  const [light, dark] = [0, 1].map((side) => el("input", { value: givenName(state.players, side), placeholder: t(`side.${side}`), maxlength: MOST, dir: "auto", class: "player" }));
  const seats = [0, 1].map((side) => select([["person", t("seat.person")], ["engine", t("computer")]],
    state.seats[side] === null ? "person" : "engine", { id: `new-seat-${side}` }));
  const level = levelSelect(state.seats.find((known) => known !== null) ?? undefined);
  const levels = field(t("level.of"), level);
  const seated = () => seats.map((seat) => (seat.value === "engine" ? `engine:${level.value}` : "person"));
  const coins = el("div", { class: "pair" }, field(t("new.purse"), house.purse), field(t("new.stake"), house.stake));
  const refresh = () => { coins.hidden = rules.value !== "ahumm"; file.hidden = board.value !== "file"; file.required = !file.hidden; levels.hidden = !seats.some((seat) => seat.value === "engine"); };
  for (const seat of seats) seat.addEventListener("change", refresh);
  rules.addEventListener("change", refresh);
  board.addEventListener("change", refresh);
  refresh();
  file.setAttribute("aria-label", t("new.file"));
  const form = el("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      const usual = { shifs: 6, detained: 3, placement_pushes: false, early_end: true, repetition: false, purse: 20, stake: 1 };
      const text = Object.entries(house).flatMap(([key, input]) => {
        const value = input.type === "checkbox" ? input.checked : Number(input.value);
        if (value === usual[key] || (rules.value !== "ahumm" && ["purse", "stake"].includes(key))) return [];
        return [`${key}=${value === true ? "yes" : value === false ? "no" : value}`];
      });
      const wood = board.value === "file" ? await (file.files[0]?.text() ?? "") : board.value;
      ask("new_game", { board: wood.slice(0, 4096), rules: [rules.value, ...text].join(" "), light: light.value, dark: dark.value, light_seat: seated()[0], dark_seat: seated()[1] });
      closeDialog();
      toTheBoard();
    },
  }, el("div", { class: "pair" }, field(t("new.light"), light), field(t("new.dark"), dark)),
  field(t("seat.of", { side: 0 }), seats[0]), field(t("seat.of", { side: 1 }), seats[1]), levels,
  field(t("new.rules"), rules), coins,
  line.hands ? field(t("new.board"), board) : "", file,
  el("details", {}, el("summary", {}, t("new.house")),
    field(t("new.shifs"), house.shifs), field(t("new.detained"), house.detained),
    field(t("new.early"), house.early_end), field(t("new.placement"), house.placement_pushes), field(t("new.repetition"), house.repetition)),
  state.over ? "" : el("p", { class: "hint" }, t("new.leaves")),
  el("div", { class: "row" }, el("button", { class: "main", id: "begin" }, t("new.start")), button(t("cancel"), closeDialog)));
  openDialog(t("new_game"), form);
}

const LEVELS = [...Array(10).keys()].map((k) => k + 1);

// The levels from 1 to 10, the one that was chosen last at first.
function levelSelect(level = Number(remembered("level")) || 2) {
  const box = select(LEVELS.map((n) => [String(n), t(`level.${n === 1 ? "first" : n === 10 ? "last" : "other"}`, { n })]), String(level), { id: "new-level" });
  box.addEventListener("change", () => remember("level", box.value));
  return box;
}

// A game against the computer, which plays Dark: Light begins.
export function againstComputer(state) {
  const level = levelSelect();
  const sides = select([["dark", t("side.0")], ["light", t("side.1")]], "dark", { id: "play-side" });
  openDialog(t("play.computer"), field(t("level.of"), level), field(t("play.side"), sides),
    el("div", { class: "row" }, button(t("new.start"), () => {
      remember("level", level.value);
      ask("new_game", { board: "", rules: state.rules, light: "", dark: "", [`${sides.value}_seat`]: `engine:${level.value}` });
      closeDialog();
      toTheBoard();
    }, { class: "main", id: "play-begin" }), button(t("cancel"), closeDialog)));
}

// -- settings -------------------------------------------------------------------------------------

export function settingsDialog(state, health, names, redraw) {
  const language = select(languages, current(), { id: "language" });
  language.addEventListener("change", () => { speak(language.value); redraw(); settingsDialog(state, health, names, redraw); });
  const bright = el("input", { type: "range", min: 0.05, max: 1, step: 0.05, value: state.lights.brightness, id: "brightness" });
  const palette = select(state.palettes.map((name) => [name, t(`palette.${name}`)]), state.lights.palette, { id: "palette" });
  const set = () => ask("lights", { brightness: Number(bright.value), palette: palette.value });
  bright.addEventListener("change", set);
  palette.addEventListener("change", set);
  openDialog(t("settings"),
    field(t("set.language"), language), ...looksFields(),
    line.may ? field(t("set.brightness"), bright) : "",
    line.may ? field(t("set.palette"), palette) : "",
    el("h3", {}, t("set.health")), healthView(state, health, names),
    el("h3", {}, t("set.downloads")),
    el("p", { class: "row" }, el("a", { href: "record.txt", download: true }, t("set.record")), el("a", { href: "scans.txt", download: true }, t("set.log"))));
}

function healthView(state, health, names) {
  if (!health) return el("p", {}, t("set.fine"));
  const most = Math.max(1, ...health.totals.map(([, n]) => n));
  const rows = [...health.totals].sort((a, b) => b[1] - a[1]).slice(0, 12);
  return el("div", { id: "health" },
    el("p", {}, health.hz === null ? t("set.scans_idle", { m: health.wanted_hz }) : t("set.scans", { n: Math.round(health.hz), m: health.wanted_hz })),
    el("p", {}, state.faulty.length ? t("faulty", { spaces: state.faulty.map((space) => names[space]).join(", ") }) : t("set.fine")),
    el("ul", { class: "bars" }, ...rows.map(([space, n]) => {
      const bar = el("meter", { min: 0, max: most, value: n, "aria-label": names[space] });
      return el("li", {}, el("span", {}, t("set.changes", { at: names[space], n })), bar);
    })));
}

// The lesson's positions are those of the standard board; wood cannot be exchanged by a page.
export function otherBoardDialog(state) {
  const way = line.hands ? button(t("new_game"), () => newGameDialog(state, "standard"), { class: "main", id: "lesson-new" }) : null;
  openDialog(t("lesson"), el("p", {}, t("lesson.board")), el("p", {}, t(line.hands ? "lesson.board.change" : "lesson.board.wood")),
    el("div", { class: "row" }, way, button(t("close"), closeDialog)));
}

export function keysDialog() {
  const row = (keys, name) => [el("dt", {}, ...keys.map((key) => el("kbd", {}, key))), el("dd", {}, t(name))];
  openDialog(t("keys"), el("dl", { class: "keys" },
    ...row(["←", "→", "↑", "↓"], "keys.arrows"), ...row(["c", "4"], "keys.name"), ...row(["Enter"], "keys.enter"),
    ...row(["Esc"], "keys.escape"), ...row([",", "."], "keys.look"), ...row(["?"], "keys.help")));
}

// What somebody who has never been here can do: one sentence with the aim, what the pieces are called.
export function firstVisit(state, { learn, computer }) {
  const begin = (name, then, more = {}) => button(t(name), () => { closeDialog(); then(); }, { class: "wide", ...more });
  const pieces = [..."SFsf"].map((letter) => el("li", {}, icon(letter), t("piece", { kind: letter })));
  openDialog(t("title"), el("p", {}, t("first.aim")), el("ul", { class: "pieces-of" }, ...pieces),
    el("p", { class: "hint" }, line.hands ? t("lesson.first.hands") : t("lesson.first")),
    el("div", { class: "starts" },
      state.teaches ? begin("first.learn", () => { toTheBoard(); learn(); }, { class: "main wide", id: "lesson-begin" }) : "",
      begin("play.computer", computer, { id: "first-computer" }),
      begin("first.two", toTheBoard, { id: "lesson-later" }),
      el("a", { class: "button wide", href: `rules-${current()}.html`, target: "_blank", rel: "noopener" }, t("rules"))));
}
