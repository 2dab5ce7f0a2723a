// The line to the table: messages come in by kind, what is asked goes out; it mends itself.

import { toast } from "./dom.js";
import { t } from "./texts.js";

const hearers = new Map();
let socket = null;
let wait = 500;

export const line = { open: false, may: false, client: 0, hands: false, revision: null };

export function on(kind, hear) {
  hearers.set(kind, [...(hearers.get(kind) ?? []), hear]);
}

function tell(kind, message) {
  for (const hear of hearers.get(kind) ?? []) hear(message);
}

export const connecting = () => socket !== null;

export function connect() {
  if (socket) { socket.onclose = null; socket.close(); }
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/live`);
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.t === "hello") {
      Object.assign(line, { open: true, may: message.may, client: message.client, hands: message.hands });
      wait = 500;
    }
    tell(message.t, message);
  };
  socket.onclose = () => {
    line.open = false;
    tell("closed", {});
    setTimeout(connect, wait);
    wait = Math.min(8000, wait * 1.6);
  };
}

export function send(message) {
  if (line.open && line.may && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
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
