// What is wired to the Pico: the matrix of contacts with its diodes or a chain of registers, buttons,
// the jumper, and the chain of lights, of which every bit is taken down with its times.
const ROWS = [2, 3, 4, 5, 6, 7, 8, 9];
const COLUMNS = [10, 11, 12, 13, 14, 15, 16, 17];
const [LOAD, CLOCK, DATA] = [2, 3, 4]; // of a chain of 74HC165
const BUTTONS = [18, 19, 20];
const JUMPER = 21;
const LIGHTS = 22;
const LATCH_NS = 50_000; // so long low ends a frame
const ONE_NS = 550; // a bit that is high for longer is a 1
const ODD_NS = [200, 1000]; // shorter or longer is neither

export class Wood {
  constructor() {
    this.closed = new Array(64).fill(0); // of each row or register, one bit per place
    this.registers = 0; // in a chain instead of the matrix; -1: its cable is out
    this.shorted = 0; // columns
    this.buttons = 0;
    this.jumper = false;
    this.frames = [];
    this.scans = 0;
    this.longestUs = 0; // from the beginning of a scan to the next
  }

  // Joins everything to a chip that has just got power; `now` gives ns, of an edge where there is one.
  attach(gpio, now) {
    this.gpio = gpio;
    this.now = now;
    this.low = 0; // rows that are driven low
    this.level = 0;
    this.edgeNs = now();
    this.bits = [];
    this.scanNs = 0;
    this.held = []; // what the registers have to say, next first; behind that all is low
    ROWS.forEach((pin, row) => gpio[pin].addListener((value) => this.drive(row, value)));
    gpio[LOAD].addListener((value) => this.load(value));
    gpio[CLOCK].addListener((value, before) => this.clock(value, before));
    gpio[LIGHTS].addListener((value) => this.edge(value === 1 ? 1 : 0));
    this.settle();
  }

  load(value) {
    if (!this.registers || value !== 0) return;
    this.scanned();
    this.held = [];
    for (let k = 0; k < 8 * this.registers; k++) this.held.push((this.closed[k >> 3] >> (k & 7)) & 1);
    this.shown();
  }

  clock(value, before) {
    if (!this.registers || value !== 1 || before !== 0) return;
    this.held.shift();
    this.shown();
  }

  shown() {
    const low = this.registers > 0 && (this.held.length ? this.held[0] : 1);
    this.gpio[DATA].setInputValue(!low);
  }

  drive(row, value) {
    if (this.registers) return;
    const low = value === 0 ? this.low | (1 << row) : this.low & ~(1 << row);
    if (low === this.low) return;
    this.low = low;
    if (row === 0 && low & 1) this.scanned();
    this.follow();
  }

  scanned() {
    const ns = this.now();
    if (this.scanNs) this.longestUs = Math.max(this.longestUs, (ns - this.scanNs) / 1000);
    this.scanNs = ns;
    this.scans++;
  }

  // Every column goes where its closed contacts pull it.
  follow() {
    let low = this.shorted;
    for (let row = 0; row < 8; row++) if (this.low & (1 << row)) low |= this.closed[row];
    COLUMNS.forEach((pin, column) => this.gpio[pin].setInputValue(!(low & (1 << column))));
  }

  settle() {
    if (this.registers) this.shown();
    else this.follow();
    BUTTONS.forEach((pin, k) => this.gpio[pin].setInputValue(!(this.buttons & (1 << k))));
    this.gpio[JUMPER].setInputValue(!this.jumper);
  }

  edge(level) {
    if (level === this.level) return;
    const ns = this.now();
    const took = ns - this.edgeNs;
    if (level) this.rose(took, ns);
    else this.bits[this.bits.length - 1].high = took;
    this.level = level;
    this.edgeNs = ns;
  }

  rose(lowNs, ns) {
    if (this.bits.length && lowNs > LATCH_NS) this.latch();
    if (this.bits.length) this.bits[this.bits.length - 1].low = lowNs;
    this.bits.push({ at: ns, high: 0, low: 0 });
  }

  // Ends a frame after a long low; called now and then, as nothing happens on the line meanwhile.
  rest() {
    if (this.bits.length && !this.level && this.now() - this.edgeNs > LATCH_NS) this.latch();
  }

  latch() {
    const bits = this.bits;
    this.bits = [];
    const data = Buffer.alloc(Math.ceil(bits.length / 8));
    const highs = [new Set(), new Set()];
    const lows = [new Set(), new Set()];
    let odd = 0;
    bits.forEach(({ high, low }, k) => {
      const one = high > ONE_NS ? 1 : 0;
      if (high < ODD_NS[0] || high > ODD_NS[1]) odd++;
      highs[one].add(Math.round(high));
      if (low) lows[one].add(Math.round(low));
      data[k >> 3] |= one << (7 - (k & 7));
    });
    const last = bits[bits.length - 1];
    this.frames.push({
      from: bits[0].at / 1000,
      to: (last.at + last.high) / 1000,
      bits: bits.length,
      odd,
      data: data.toString('hex'),
      highs: highs.map((set) => [...set]),
      lows: lows.map((set) => [...set]),
    });
  }
}
