// The line to the table: messages come in by kind, what is asked goes out; it mends itself.

import { toast } from "./dom.js";
import { t } from "./texts.js";

const hearers = new Map();
let socket = null;
let wait = 500;
let retry = 0;
let heard = 0;
let silence = 4500;

// `down` is why the line is down: a text of the catalogue.
export const line = { open: false, may: false, client: 0, browser: "", hands: false, revision: null, down: "lost" };

export function on(kind, hear) {
  hearers.set(kind, [...(hearers.get(kind) ?? []), hear]);
}

function tell(kind, message) {
  for (const hear of hearers.get(kind) ?? []) hear(message);
}

export const connecting = () => socket !== null;

export function connect() {
  clearTimeout(retry);
  leave();
  heard = Date.now();
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/live`);
  socket.onmessage = ({ data }) => {
    heard = Date.now();
    const message = JSON.parse(data);
    if (message.t === "hello") {
      Object.assign(line, { open: true, may: message.may, client: message.client, browser: message.browser, hands: message.hands, down: "lost" });
      wait = 500;
      silence = 2 * 1000 * message.beat + 500;
    }
    if (message.t === "full") Object.assign(line, { down: "full" });
    tell(message.t, message);
  };
  socket.onclose = closed;
}

function leave() {
  if (!socket) return;
  socket.onclose = socket.onmessage = null;
  socket.close();
  socket = null;
}

function closed() {
  leave();
  line.open = false;
  tell("closed", {});
  clearTimeout(retry);
  retry = setTimeout(connect, line.down === "full" ? 20000 : wait);
  wait = Math.min(8000, wait * 1.6);
}

// The table says something every two seconds at least, so a line that is silent is dead, whatever
// the system believes: Wi-Fi that is gone, a phone that slept.  Timers may sleep as well, hence `wake`.
setInterval(() => { if (socket && Date.now() - heard > silence) closed(); }, 500);

function wake() {
  if (document.visibilityState === "hidden" || !heard) return;
  if (!line.open || Date.now() - heard > silence) {
    if (line.open) closed();
    wait = 500;
    connect();
  }
}
for (const [target, name] of [[document, "visibilitychange"], [window, "pageshow"], [window, "online"]]) {
  target.addEventListener(name, wake);
}

export function send(message) {
  if (line.open && line.may && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  else if (!line.open) toast(t(line.down));
}

// What is asked names the revision of the table that was seen: of two that ask the same, one is late.
export const ask = (name, values = {}) => send({ do: name, revision: line.revision, ...values });

export async function post(path, body = {}) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  return { ok: answer.ok, ...(await answer.json().catch(() => ({}))) };
}

// What a path holds, null where it cannot be had; the page says so then.
export async function get(path) {
  const answer = await fetch(path).catch(() => null);
  if (answer?.ok) return answer.json();
  toast(t("not_had"));
  return null;
}
