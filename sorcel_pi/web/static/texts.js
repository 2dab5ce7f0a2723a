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

// The text of `key`; gaps `kind` take pieces, `side` sides, `n` also chooses between one and many.
export function t(key, gaps = {}) {
  let text = texts[language][key] ?? key;
  if (typeof text === "object") text = gaps.n === 1 ? text.one : text.other;
  return text.replace(/\{(\w+)\}/g, (_, name) => {
    if (name === "kind") return t(`kind.${gaps.kind}`);
    if (name === "side") return t(`side.${gaps.side}`);
    return gaps[name] ?? "";
  });
}

export function translate(root) {
  document.documentElement.lang = language;
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
}
