// All texts of the page come from here; a language is one more entry in texts.json.

const texts = await (await fetch("texts.json")).json();
const wanted = [remembered("language"), ...navigator.languages.map((tag) => tag.slice(0, 2)), "en"];
let language = wanted.find((tag) => tag in texts);

export const languages = Object.keys(texts).map((tag) => [tag, texts[tag].language]);
export const current = () => language;

export function remembered(key) {
  try { return localStorage.getItem(`sorcel.${key}`); } catch { return null; }
}

export function remember(key, value) {
  try { localStorage.setItem(`sorcel.${key}`, value); } catch { /* then for this visit only */ }
}

export function speak(tag) {
  language = tag;
  remember("language", tag);
  translate(document);
}

export const has = (key) => key in texts[language];

const NAMED = ["kind", "side", "way"];

// The text of `key`; gaps `kind` take pieces, `side` sides, `way` directions, `places` rows and
// columns, `n` also chooses between one and many.  ../catalogue.py does the same in the terminal.
export function t(key, gaps = {}) {
  let text = texts[language][key] ?? key;
  if (typeof text === "object") text = gaps.n === 1 ? text.one : text.other;
  return text.replace(/\{(\w+)\}/g, (_, name) => {
    if (NAMED.includes(name)) return t(`${name}.${gaps[name]}`);
    if (name === "places") return gaps.places.map(([row, column]) => t("place", { row, column })).join("; ");
    return gaps[name] ?? "";
  });
}

// What somebody has called a side, "" where it goes by its own name.
export const givenName = (players, side) => (["Light", "Dark"].includes(players[side]) ? "" : players[side]);

export function translate(root) {
  document.documentElement.lang = language;
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
}
