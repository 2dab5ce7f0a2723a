// Soft sounds made in the browser: a piece that is lifted, put down, pushed, that falls in, a win.

import { remember, remembered } from "./texts.js";

const SOUNDS = {
  lift: [[660, 0, 0.05, 0.05]],
  land: [[220, 0, 0.09, 0.12]],
  push: [[180, 0, 0.08, 0.1], [140, 0.05, 0.08, 0.08]],
  hole: [[196, 0, 0.12, 0.1], [98, 0.08, 0.25, 0.12]],
  win: [[392, 0, 0.2, 0.08], [494, 0.14, 0.2, 0.08], [587, 0.28, 0.4, 0.1]],
};
/* Each tone: Hz, when it begins and how long it lasts in seconds, how loud. */
const OF_EVENT = { push: "push", off: "hole", detain: "hole", release: "lift", stray: "hole" };

let context = null;

export const sound = {
  on: remembered("sound") !== "no",
  toggle() {
    this.on = !this.on;
    remember("sound", this.on ? "yes" : "no");
  },
  play(name) {
    if (!this.on || !navigator.userActivation?.hasBeenActive) return;
    context ??= new AudioContext();
    for (const [hz, after, lasts, loud] of SOUNDS[name]) {
      const [tone, gain, begin] = [context.createOscillator(), context.createGain(), context.currentTime + after];
      tone.type = "sine";
      tone.frequency.value = hz;
      gain.gain.setValueAtTime(loud, begin);
      gain.gain.exponentialRampToValueAtTime(0.001, begin + lasts);
      tone.connect(gain).connect(context.destination);
      tone.start(begin);
      tone.stop(begin + lasts);
    }
    if (name === "push" || name === "hole") navigator.vibrate?.(15);
  },
  of(event) { this.play(OF_EVENT[event] ?? "land"); },
};
