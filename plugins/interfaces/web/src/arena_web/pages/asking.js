// Requests to the server, and whether it answers; whose key is sent is told by who asks. A key comes with the address.
import { useEffect, useState } from "./html.js";

/** What went wrong, where, and what can be done about it. */
export class Problem extends Error {
  constructor(status, { where = "", what = "", remedy = "" }, secrets) {
    super(String(what));
    Object.assign(this, { status, where: String(where), what: String(what), remedy: String(remedy), secrets });
  }
}

/** The answer of the API to a request, whatever its status; a `Problem` of status 0 where the server is silent. */
export async function fetched(path, { key, method = "GET", headers = {}, body = null, signal = null }) {
  const sent = { Authorization: `Bearer ${key}`, ...(body ? { "Content-Type": "application/json" } : {}), ...headers };
  try {
    return await fetch(`/api/1${path}`, { method, headers: sent, body: body && JSON.stringify(body), signal, cache: "no-store", credentials: "omit" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, { what: "the server does not answer", remedy: "is `arena view` still running? this page tries again by itself" });
  }
}

/** What an answer that is no success says. */
export const problemOf = (answer, data, path) => new Problem(answer.status, data.error ?? { where: path, what: `the server answered ${answer.status}` }, data.secrets);

/** The milliseconds to wait after so many failures in a row. */
export const patience = (failures) => Math.min(15000, 500 * 2 ** (failures - 1)) * (0.8 + 0.4 * Math.random());

/** Take a key out of the address into a storage, if there is one of this form; true if there was. */
export function keptKey(form, storage, name) {
  const found = form.exec(location.hash);
  if (!found) return false;
  storage.setItem(name, found[1]);
  history.replaceState(null, "", location.pathname + location.search);
  return true;
}

/** The form of a key that opens one thing alone. */
export const BARE = /^#([\w-]{20,})$/;

const LONGEST_SILENCE = 2000;
const watchers = new Set();
let [silence, isLost] = [null, false];

function tell(now) {
  if (now === isLost) return;
  isLost = now;
  for (const own of watchers) own(isLost);
}

/** Say whether the server answered what was asked last. */
export function heard(isAnswer) {
  if (!isAnswer) {
    silence ??= setTimeout(() => tell(true), LONGEST_SILENCE);
    return;
  }
  clearTimeout(silence);
  silence = null;
  tell(false);
}

/** Whether the server has been silent for more than two seconds. */
export function useLost() {
  const [lost, set] = useState(isLost);
  useEffect(() => {
    watchers.add(set);
    set(isLost);
    return () => watchers.delete(set);
  }, []);
  return lost;
}
