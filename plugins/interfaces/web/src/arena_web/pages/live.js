// What happens while something is looked at: over one WebSocket for the tab, or by asking and waiting where there is none.
import { ask, keyOf, query } from "./api.js";
import { heard } from "./asking.js";

const [SILENT, PATIENCE, LONGEST] = [10000, 5000, 15000];
const OPEN = 1; // of WebSocket, which need not be there
const topics = new Map(); // of each topic the number of its last message, and who hears it
const ups = new Set();
let [socket, timer, pulse, polling] = [null, null, null, null];
let [failures, isUp, isRefused] = [0, false, false];

/** Hear what happens to a topic from here on, and whether it is heard at all; gives a function that ends it. */
export function watch(topic, hear, tellUp) {
  const own = topics.get(topic) ?? { number: null, hearers: new Set() };
  own.hearers.add(hear);
  topics.set(topic, own);
  ups.add(tellUp);
  tellUp(isUp);
  own.number = null; // who comes later has everything, too
  follow(topic);
  return () => {
    ups.delete(tellUp);
    own.hearers.delete(hear);
    if (own.hearers.size) return;
    topics.delete(topic);
    if (socket?.readyState === OPEN) socket.send(JSON.stringify({ drop: [topic] }));
    polling?.abort();
  };
}

/** Say that a topic is watched; of one that is watched already everything is sent anew. */
function follow(topic) {
  if (polling) polling.abort(); // and asked again with this topic
  else if (socket?.readyState === OPEN) send({ drop: [topic], watch: [topic] });
  else if (!socket && !timer) connect();
}

const send = (said) => socket.send(JSON.stringify(said));

function up(now) {
  if (now === isUp) return;
  isUp = now;
  for (const tell of ups) tell(now);
}

function deliver(message) {
  const own = topics.get(String(message.topic));
  if (!own) return;
  if (typeof message.number === "number") own.number = message.number;
  for (const hear of own.hearers) hear(message);
}

function connect() {
  timer = null;
  if (!topics.size || isRefused) return;
  if (!globalThis.WebSocket) return void poll();
  const own = (socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/1/live`));
  let isOpen = false;
  own.onopen = () => {
    const from = Object.fromEntries([...topics].filter(([, each]) => each.number !== null).map(([topic, each]) => [topic, each.number]));
    send({ key: keyOf() });
    send({ watch: [...topics.keys()], from });
    beat(own);
  };
  own.onmessage = (event) => {
    [isOpen, failures] = [true, 0];
    heard(true);
    up(true);
    beat(own);
    deliver(JSON.parse(event.data));
  };
  own.onclose = (event) => lost(own, isOpen, event.code);
}

/** A server that says nothing for long is asked for a sign; one that gives none is lost. */
function beat(own) {
  clearTimeout(pulse);
  pulse = setTimeout(() => {
    if (own.readyState === OPEN) send({ ping: true });
    pulse = setTimeout(() => lost(own, true, 0), PATIENCE);
  }, SILENT);
}

function lost(own, wasOpen, code) {
  if (own !== socket) return;
  clearTimeout(pulse);
  socket = null;
  own.onclose = own.onmessage = null;
  own.close();
  up(false);
  if (code === 1008) return void poll(); // there is an answer, and it is no
  heard(false);
  failures += 1;
  if (!wasOpen && failures > 2) return void poll(); // perhaps something between lets none through
  again();
}

/** Connect again: at once, then ever more rarely. */
function again() {
  const pause = failures < 2 ? 0 : Math.min(LONGEST, 500 * 2 ** (failures - 2)) * (0.8 + 0.4 * Math.random());
  timer ??= setTimeout(connect, pause);
}

addEventListener("offline", () => socket && lost(socket, true, 0));
addEventListener("online", () => timer && (clearTimeout(timer), connect()));

/** Ask for what has happened, and wait for it, as long as something is watched; then try the other way again. */
async function poll() {
  for (let round = 0; topics.size && round < 20; round++) {
    polling = new AbortController();
    const asked = [...topics];
    try {
      const found = await ask(`/live${query({ topics: asked.map(([topic]) => topic).join(","), after: asked.map(([, own]) => own.number ?? "").join(","), wait: 25 })}`, { signal: polling.signal });
      heard(true);
      up(true);
      for (const message of found.messages) deliver(message);
    } catch (error) {
      if (error.name === "AbortError") continue;
      up(false);
      isRefused = error.status === 401;
      if (error.status === 0) heard(false);
      failures += 1;
      break;
    }
  }
  polling = null;
  again();
}
