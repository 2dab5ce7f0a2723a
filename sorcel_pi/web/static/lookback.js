// Looking back at the game that is played: its positions, without touching the table.

import { $, button, el } from "./dom.js";
import { keyed } from "./games.js";
import { get } from "./net.js";
import { t } from "./texts.js";

export class Lookback {
  // `live` is called when the board shows the table again, `show` draws rows of pieces.
  constructor(show, live) {
    Object.assign(this, { show, live, plies: null, ply: null, count: 0 });
  }

  get active() { return this.ply !== null; }

  // What was loaded is of a shorter game, or of another one.
  played(count) {
    this.count = count;
    this.plies = null;
    if (this.active && this.ply >= count) this.end();
  }

  async step(by) {
    if (!this.active && by > 0) return;
    await this.go((this.ply ?? this.count) + by);
  }

  async go(ply) {
    if (ply >= this.count || ply < 0) return ply >= this.count ? this.end() : undefined;
    this.plies ??= (await get("api/games/now"))?.plies ?? null;
    if (!this.plies || ply >= this.plies.length) return undefined;
    this.ply = ply;
    const now = this.plies[ply];
    this.show(keyed(now), now);
    $("words").textContent = t("look.at", { n: ply, m: this.count });
    $("why").textContent = now.text ?? "";
    $("looking").replaceChildren(
      button("‹", () => this.step(-1), { "aria-label": t("look.back"), id: "look-back" }),
      button("›", () => this.step(1), { "aria-label": t("look.on"), id: "look-on" }),
      button(t("look.live"), () => this.end(), { class: "main", id: "look-live" }));
    $("looking").hidden = false;
    return undefined;
  }

  end() {
    if (!this.active) return;
    this.ply = null;
    $("looking").hidden = true;
    $("looking").replaceChildren(el("span"));
    this.live();
  }
}
