// What follows from an action, told piece by piece in the order of the rules, each with its cause.
// Nothing here decides anything: the table has done it all before it is told.

import { t } from "./texts.js";

const MOVE_MS = 180;
const EVENT_MS = 520;

export class Story {
  // `show` draws rows of pieces, `say` shows a sentence, `over` is called when all is told, `heard` with each event.
  constructor(show, say, over, heard) {
    Object.assign(this, { show, say, over, heard, waiting: [], told: null });
  }

  get active() { return this.told !== null; }

  tell(message, board, rows) {
    this.waiting.push([message, board]);
    if (!this.active) this.go(rows.map((row) => [...row]));
  }

  // Whatever is left is not told; what stands in the end is shown at once.
  finish() {
    if (!this.active) return;
    this.told = null;
    this.waiting = [];
    this.over();
  }

  async go(rows) {
    const mine = {};
    this.told = mine;
    while (this.waiting.length) {
      const [message, board] = this.waiting.shift();
      for (const [text, letter, origin, target, kind] of steps(message, board, rows)) {
        const row = rows.find((each) => each[2] === (origin ?? -1) && each[1] === letter);
        if (row) row.splice(2, 3, target ?? -1);
        this.show(rows, target);
        if (text) this.say(text());
        this.heard(kind);
        await new Promise((done) => setTimeout(done, text ? EVENT_MS : MOVE_MS));
        if (this.told !== mine) return;
      }
    }
    this.told = null;
    this.over();
  }
}

export function sentence(names, [kind, letter, origin, target]) {
  return t(`ev.${kind}`, { kind: letter, at: names[origin], to: target === null ? "" : names[target] });
}

// The move itself, and each consequence with the sentence for it, made when it is its turn.
function steps(message, board, rows) {
  const { names } = board.message;
  const follows = message.events.map(([kind, letter, origin, target, cause]) => [() => {
    const said = sentence(names, [kind, letter, origin, target]);
    const by = cause === null ? null : rows.find((each) => each[2] === cause);
    return by ? t("ev.by", { said, kind: by[1], at: names[cause] }) : said;
  }, letter, origin, target, kind]);
  return [...(message.move ? [[null, ...message.move, "move"]] : []), ...follows];
}
