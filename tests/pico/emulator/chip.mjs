// A Raspberry Pi Pico: rp2040js, with what it lacks.  PIO runs in step with the CPU, flash can be
// written, a reset starts the chip again, and the clock can be moved on.
import { Simulator } from 'rp2040js';
import { UsbHost } from './usb.mjs';

const FLASH = 0x10000000;
const FLASH_BYTES = 2 << 20;
const FILES_AT = FLASH_BYTES - 1408 * 1024; // where MicroPython has its file system on a Pico
const CYCLE_NS = 8; // at 125 MHz
const ERASE_NS = 45e6; // 4 kB
const PROGRAM_NS = 400e3; // 256 bytes
const ERASE_CALL = 0xe1;
const PROGRAM_CALL = 0xe2;
const WATCHDOG = 0x40058;
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

export class Pico {
  constructor(image, bootrom, files, wood) {
    this.bootrom = bootrom;
    this.wood = wood;
    this.flash = new Uint8Array(FLASH_BYTES).fill(0xff);
    this.load(image);
    this.flash.set(files, FILES_AT);
    this.baseNs = 0; // before the last reset
    this.output = [];
    this.resets = [];
    this.fault = null;
    this.findDelay();
    this.power();
  }

  // A UF2 file, or the bare contents of the flash.
  load(image) {
    if (image.readUInt32LE(0) !== 0x0a324655) this.flash.set(image);
    else
      for (let k = 0; k < image.length; k += 512) {
        const data = image.subarray(k + 32, k + 32 + image.readUInt32LE(k + 16));
        this.flash.set(data, image.readUInt32LE(k + 12) - FLASH);
      }
  }

  files() {
    return this.chip.flash.slice(FILES_AT, FLASH_BYTES);
  }

  get ns() {
    return this.baseNs + this.clock.nanosCounter;
  }

  power() {
    if (this.clock) {
      this.baseNs += this.clock.nanosCounter;
      this.flash = this.chip.flash.slice(0, FLASH_BYTES);
    }
    const simulator = new Simulator();
    this.chip = simulator.rp2040;
    this.clock = simulator.clock;
    this.core = this.chip.core;
    this.cycles = 0;
    this.pioNext = Infinity;
    this.edgeCycle = null;
    this.wantsReset = false;
    this.skipNs = 0;
    this.chip.logger = QUIET;
    this.chip.loadBootrom(this.bootrom);
    this.chip.flash.set(this.flash);
    this.trapFlashCalls();
    this.chip.onBreak = (code) => this.trapped(code);
    this.tameWatchdog();
    this.pacePio();
    this.host = new UsbHost(this.chip.usbCtrl, (data) => {
      this.output.push([this.ns / 1000, Buffer.from(data).toString('latin1')]);
    });
    this.wood.attach(this.chip.gpio, () => this.baseNs + this.edgeNs());
    this.core.PC = FLASH;
  }

  edgeNs() {
    return this.edgeCycle === null ? this.clock.nanosCounter : this.edgeCycle * CYCLE_NS;
  }

  // Behind the flash interface of rp2040js there is no chip: the two functions of the boot ROM that
  // write are done here.
  trapFlashCalls() {
    const rom = new Uint16Array(this.chip.bootrom.buffer);
    for (let k = rom[0x14 / 2] / 2; rom[k]; k += 2) {
      const name = String.fromCharCode(rom[k] & 0xff, rom[k] >> 8);
      const call = { RE: ERASE_CALL, RP: PROGRAM_CALL }[name];
      if (!call) continue;
      const at = (rom[k + 1] & ~1) / 2;
      rom[at] = 0xbe00 | call; // BKPT
      rom[at + 1] = 0x4770; // BX LR
    }
  }

  trapped(code) {
    const [to, from, count] = this.core.registers;
    const flash = this.chip.flash;
    if (code === ERASE_CALL) {
      flash.fill(0xff, to, to + from);
      this.skipNs += (ERASE_NS * from) / 4096;
    } else if (code === PROGRAM_CALL) {
      for (let k = 0; k < count; k++) flash[to + k] &= this.chip.readUint8((from >>> 0) + k);
      this.skipNs += (PROGRAM_NS * count) / 256;
    } else this.fault = { code, pc: this.core.PC.toString(16), us: this.ns / 1000 };
  }

  tameWatchdog() {
    const dog = this.chip.peripherals[WATCHDOG];
    dog.onWatchdogTrigger = () => {
      this.wantsReset = true;
      dog.alarm.enable = dog.timer.enable = false;
    };
    const write = dog.writeUint32.bind(dog);
    this.loadedMs = 0;
    dog.writeUint32 = (offset, value) => {
      if (offset === 4) this.loadedMs = value / 2000; // it counts two a microsecond
      write(offset, value);
    };
  }

  watchdogMs() {
    return this.chip.peripherals[WATCHDOG].enable ? this.loadedMs : 0;
  }

  // rp2040js runs PIO by a timer of its own, at no certain speed.
  pacePio() {
    for (const pio of this.chip.pio) {
      pio.run = () => {};
      const write = pio.writeUint32.bind(pio);
      pio.writeUint32 = (offset, value) => {
        write(offset, value);
        this.pioNext = 0;
      };
      for (const machine of pio.machines) machine.dueCycle = null; // stands still
    }
  }

  runPio() {
    let next = Infinity;
    for (const pio of this.chip.pio)
      if (!pio.stopped)
        for (const machine of pio.machines) next = Math.min(next, this.runMachine(pio, machine));
    this.edgeCycle = null;
    this.pioNext = next;
  }

  // Does all that is due, each instruction in its own cycle; returns the cycle of the next.
  runMachine(pio, machine) {
    if (machine.enabled && machine.waiting) machine.checkWait();
    if (!machine.enabled || machine.waiting) {
      machine.dueCycle = null;
      return Infinity;
    }
    if (machine.dueCycle === null) machine.dueCycle = this.cycles; // goes on from here
    const divider = (machine.clockDivInt || 65536) + machine.clockDivFrac / 256;
    while (machine.dueCycle <= this.cycles) {
      const before = machine.cycles;
      this.edgeCycle = machine.dueCycle;
      machine.step();
      pio.checkChangedPins();
      if (machine.waiting || !machine.enabled) {
        machine.dueCycle = null;
        return Infinity;
      }
      machine.dueCycle += (machine.cycles - before) * divider;
    }
    return machine.dueCycle;
  }

  // In MicroPython's mp_hal_delay_us the CPU spins until a time of the clock, which is in r4 and r5:
  // in the builds where these instructions are found the clock is moved on instead.
  findDelay() {
    const code = new Uint16Array(this.flash.buffer, 0, FLASH_BYTES / 2);
    const tail = [0x428d, 0xd8fb, 0xd101, 0x4284, 0xd8f8, 0xbd70];
    const at = code.findIndex((_, k) => tail.every((word, j) => code[k + j] === word));
    this.delayPc = at < 0 ? -1 : FLASH + 2 * at - 4;
  }

  skipDelay(endNs) {
    const r = this.core.registers;
    const untilNs = ((r[5] >>> 0) * 2 ** 32 + (r[4] >>> 0)) * 1000;
    const alarmNs = this.clock.nextAlarm ? this.clock.nextAlarm.nanos : Infinity;
    const ns = Math.min(untilNs, alarmNs, endNs, this.pioNext * CYCLE_NS) - 3000 - this.clock.nanosCounter;
    if (ns > 0 && ns < 1e9) this.clock.nanosCounter += Math.floor(ns / CYCLE_NS) * CYCLE_NS;
  }

  // Runs until that time, counted from the first power-up on, or until `stop` says so.
  run(untilNs, stop = () => false) {
    while (this.ns < untilNs && !this.fault && !stop()) {
      this.slice(Math.min(untilNs, this.ns + 100_000) - this.baseNs);
      if (this.wantsReset) {
        this.wood.rest();
        this.resets.push(this.ns / 1000);
        this.power();
      }
      this.wood.rest();
    }
  }

  slice(endNs) {
    const { core, clock } = this;
    while (clock.nanosCounter < endNs && !this.wantsReset && !this.fault) {
      if (core.waiting) this.wait(endNs);
      else this.instruction(endNs);
      this.cycles = clock.nanosCounter / CYCLE_NS;
      if (this.pioNext <= this.cycles) this.runPio();
    }
  }

  wait(endNs) {
    const { core, clock } = this;
    const alarmNs = clock.nextAlarm ? Math.max(0, clock.nanosToNextAlarm) : Infinity; // after a jump
    const pioNs = (this.pioNext - this.cycles) * CYCLE_NS;
    clock.tick(Math.min(alarmNs, Math.max(1, pioNs), Math.max(1, endNs - clock.nanosCounter)));
    if (core.interruptsUpdated && core.checkForInterrupts()) core.waiting = false;
  }

  instruction(endNs) {
    const { core, clock } = this;
    if (core.PC === this.delayPc) this.skipDelay(endNs);
    const ns = core.executeInstruction() * CYCLE_NS;
    const target = clock.nanosCounter + ns;
    if (clock.nextAlarm && clock.nextAlarm.nanos <= target) clock.tick(ns);
    else clock.nanosCounter = target;
    if (this.skipNs) {
      clock.tick(this.skipNs);
      this.skipNs = 0;
    }
  }

  // Moves the clock on while the chip notices nothing: the watchdog has as long as before.
  jump(ns) {
    const { timer } = this.chip.peripherals[WATCHDOG];
    const left = timer.counter;
    this.clock.nanosCounter += ns;
    this.cycles = this.clock.nanosCounter / CYCLE_NS;
    timer.set(left);
    for (const pio of this.chip.pio)
      for (const machine of pio.machines)
        if (machine.dueCycle !== null) machine.dueCycle += ns / CYCLE_NS;
    this.pioNext = 0;
    this.wood.edgeNs += ns;
    this.wood.scanNs = 0;
  }
}
