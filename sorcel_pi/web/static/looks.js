// The part of the settings that says how the page looks; theme.js does what is chosen.

import { field, select } from "./form.js";
import { remember, remembered, t } from "./texts.js";

const CHOICES = { theme: ["auto", "light", "dark", "contrast"], board: ["wood", "slate"] };

export function looksFields() {
  return Object.entries(CHOICES).map(([key, names]) => {
    const value = names.includes(remembered(key)) ? remembered(key) : names[0];
    const box = select(names.map((name) => [name, t(`${key}.${name}`)]), value, { id: `look-${key}` });
    box.addEventListener("change", () => {
      remember(key, box.value);
      dispatchEvent(new Event("sorcel-looks"));
    });
    return field(t(`set.${key}`), box);
  });
}
