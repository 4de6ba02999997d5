// What the pages ask the server for. The key of a link moves from the address into storage and is sent as a header.
import { Problem, fetched, heard, keptKey, patience, problemOf } from "./asking.js";
import { useEffect, useRef, useState } from "./html.js";

export { useLost } from "./asking.js";

const CLOSED = "this link is not valid any more";
const NONE = "this page has no key";
let link = { form: /^#key=([\w-]+)$/, storage: localStorage, name: "arena.key", again: "open the one that `arena view` printed", first: "open your link again: the one that `arena view` printed" };
let isRefused = false;

/** Let this page use keys of another form, kept elsewhere. */
export const useLink = (other) => (link = other);

export const keyOf = () => link.storage.getItem(link.name);

/** Take the key out of the address; true if there was one. */
export const takeKey = () => keptKey(link.form, link.storage, link.name);

const closed = () => new Problem(401, { what: CLOSED, remedy: link.again });

/** The answer to a request as data; a `Problem` where there is none. */
export async function ask(path, { signal = null, body = null, method = body ? "POST" : "GET", tries = 4 } = {}) {
  const key = keyOf();
  if (!key) throw new Problem(401, { what: NONE, remedy: link.first });
  if (isRefused) throw closed();
  const answer = await fetched(path, { key, method, body, signal });
  if (answer.status === 401) {
    isRefused = true;
    throw closed();
  }
  if (answer.status === 429 && tries) {
    await new Promise((done) => setTimeout(done, 1000 + 2000 * Math.random())); // many ask at once
    return ask(path, { signal, body, method, tries: tries - 1 });
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw problemOf(answer, data, path);
  return data;
}

/**
 * The answer to a path, asked again every `every(data)` milliseconds where that is more than 0.
 *
 * `data` is of this path alone; `before` is what was shown until it comes. A silent server is asked again, ever more rarely.
 */
export function useAnswer(path, every = () => 0) {
  const [state, set] = useState({ path: null, data: null, error: null });
  const [round, setRound] = useState(0);
  const rhythm = useRef(every);
  rhythm.current = every;
  useEffect(() => {
    if (!path) return undefined;
    const stop = new AbortController();
    let [timer, failures] = [null, 0];
    const load = async () => {
      let [data, error] = [null, null];
      try {
        data = await ask(path, { signal: stop.signal });
      } catch (found) {
        error = found;
      }
      if (stop.signal.aborted) return;
      const isSilent = error?.status === 0;
      heard(!isSilent);
      failures = isSilent ? failures + 1 : 0;
      if (error?.status === 503) {
        timer = setTimeout(load, 2000); // it is being computed
        return;
      }
      set((old) => (old.path === path && error && old.data && isSilent ? old : { path, data, error, before: data ?? old.data }));
      const pause = isSilent ? patience(failures) : error ? 0 : rhythm.current(data);
      // What is heard meanwhile over a connection need not be asked for.
      if (pause) timer = setTimeout(() => (isSilent || rhythm.current(data)) && load(), document.hidden ? Math.max(pause, 5000) : pause);
    };
    load();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [path, round]);
  const own = state.path === path;
  return { data: own ? state.data : null, error: own ? state.error : null, isLoading: Boolean(path) && !own, before: state.before ?? null, again: () => setRound((old) => old + 1) };
}

/** Hear what happens to a topic while it is looked at; gives whether it is heard, and so need not be asked for. */
export function useLive(topic, hear) {
  const [isHeard, set] = useState(false);
  const newest = useRef(hear);
  newest.current = hear;
  useEffect(() => {
    if (!topic) return undefined;
    let [end, isOver] = [() => {}, false];
    import("./live.js").then((live) => isOver || (end = live.watch(topic, (message) => newest.current(message), set)));
    return () => {
      isOver = true;
      end();
    };
  }, [topic]);
  return isHeard;
}

/** A function that is called at most every so many milliseconds, and once more after the last time it was wanted. */
export function useThrottled(act, pause) {
  const state = useRef({ at: 0, timer: null });
  const newest = useRef(act);
  newest.current = act;
  useEffect(() => () => clearTimeout(state.current.timer), []);
  return () => {
    const own = state.current;
    own.timer ??= setTimeout(() => {
      Object.assign(own, { at: Date.now(), timer: null });
      newest.current();
    }, Math.max(0, own.at + pause - Date.now()));
  };
}

/** The text of a query string, without what is empty. */
export function query(values) {
  const found = Object.entries(values).flatMap(([name, value]) => (Array.isArray(value) ? value.map((own) => [name, own]) : [[name, value]]));
  const kept = found.filter(([, value]) => value !== "" && value !== null && value !== undefined && value !== false);
  return kept.length ? `?${new URLSearchParams(kept)}` : "";
}

/** What stands behind the question mark of the address, and how it is changed: in place, or as a step one can go back. */
export function useAddress() {
  const [search, set] = useState(location.search);
  useEffect(() => {
    const read = () => set(location.search);
    addEventListener("popstate", read);
    return () => removeEventListener("popstate", read);
  }, []);
  const change = (values, { isStep = true } = {}) => {
    const old = new URLSearchParams(location.search);
    const next = Object.fromEntries([...old.keys()].map((name) => [name, old.getAll(name)]));
    for (const [name, value] of Object.entries(values)) next[name] = value;
    const text = query(next);
    if (text === location.search) return;
    history[isStep ? "pushState" : "replaceState"](null, "", location.pathname + text);
    set(text);
  };
  return [new URLSearchParams(search), change];
}

/** Begin a download; the server gives a path that works once. */
export async function download(what) {
  const { path } = await ask("/downloads", { body: what });
  const link = Object.assign(document.createElement("a"), { href: new URL(String(path), location.origin).pathname, download: "" });
  document.body.append(link);
  link.click();
  link.remove();
}
