// node main.mjs IMAGE BOOTROM FILES: runs a Pico.  Commands are lines of JSON on standard input, each
// answered by one on standard output.  Time goes on only while a `run` is answered, so that the same
// commands always lead to the same answers, to the microsecond.
import fs from 'node:fs';
import readline from 'node:readline';
import { Pico } from './chip.mjs';
import { Wood } from './wood.mjs';

console.warn = () => {}; // of peripherals that rp2040js lacks and nobody needs
const [image, bootrom, files] = process.argv.slice(2).map((name) => fs.readFileSync(name));
const words = new Uint32Array(Uint8Array.from(bootrom).buffer);
const wood = new Wood();
const pico = new Pico(image, words, files, wood);

const commands = {
  // For so many us, or until what has been said matches.
  run({ us, until }) {
    const wanted = until && new RegExp(until);
    let text = '';
    let seen = 0;
    const said = () => {
      while (seen < pico.output.length) text += pico.output[seen++][1];
      return wanted.test(text);
    };
    const used = process.cpuUsage();
    pico.run(pico.ns + us * 1000, wanted ? said : undefined);
    const { user, system } = process.cpuUsage(used);
    return { output: pico.output.splice(0), frames: wood.frames.splice(0), cpu: (user + system) / 1e6 };
  },
  send({ data }) { pico.host.send(Buffer.from(data, 'latin1')); },
  wood({ closed, registers, buttons, jumper, shorted }) {
    Object.assign(wood, { closed, registers, buttons, jumper, shorted });
    wood.settle();
  },
  jump({ us }) { pico.jump(us * 1000); },
  dtr({ on }) { pico.host.setLines(on ? 3 : 0); },
  stall({ on }) { pico.host.stall(on); },
  scans() {
    const told = { scans: wood.scans, longest_us: wood.longestUs };
    wood.scans = wood.longestUs = 0;
    return told;
  },
  files() { return { data: Buffer.from(pico.files()).toString('base64') }; },
};

function answer(text) {
  const { cmd, ...rest } = JSON.parse(text);
  const said = commands[cmd](rest);
  return {
    us: pico.ns / 1000,
    unsent: pico.host.toSend.length,
    resets: pico.resets.splice(0),
    watchdog_ms: pico.watchdogMs(),
    rows: pico.chip.gpio.slice(2, 10).map((pin) => pin.value),
    fault: pico.fault,
    ...said,
  };
}

readline.createInterface({ input: process.stdin }).on('line', (text) => {
  let said;
  try {
    said = answer(text);
  } catch (error) {
    said = { error: String(error.stack) };
  }
  process.stdout.write(JSON.stringify(said) + '\n');
}).on('close', () => process.exit(0));
