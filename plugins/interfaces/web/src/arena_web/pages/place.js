// One player's place, as the server tells it: what is asked, told and sent, with the key of this seat alone.
import { BARE, Problem, fetched, heard, keptKey, patience, problemOf } from "./asking.js";

export const KEY = "arena.seat";
const HEARD = "arena.seat.heard";
const WAIT_S = 25;
const NONE = { what: "this page has no key", remedy: "open your link again" };
const NEW = { status: "loading", seat: null, turn: null, seen: null, over: null, news: [], sent: null, note: "", problem: null };
const CLOSED = { what: "this link is not valid any more", remedy: "open your link again, or ask for a new one" };

/** Take the key out of the address, for this tab alone; true if there was one. */
export const takeSeatKey = () => keptKey(BARE, sessionStorage, KEY);

/** What was told in a match, each with the moment at which this tab heard it. */
function timed(match, told) {
  const kept = JSON.parse(sessionStorage.getItem(HEARD) ?? "{}");
  const times = kept.match === match ? kept.times : [];
  const news = told.map((own, at) => ({ ...own, heard: (times[at] ??= Date.now()) }));
  sessionStorage.setItem(HEARD, JSON.stringify({ match, times }));
  return news;
}

/** Some time, or until the network is there again. */
const pause = (ms) => new Promise((done) => (setTimeout(done, ms), addEventListener("online", done, { once: true })));

/**
 * The place of this tab's key. `state` is replaced at each change, and `changed` called with it:
 *
 * `status` is `loading`, `asked`, `waiting`, `over`, `idle` (nobody plays the run), `elsewhere` (another tab plays) or
 * `closed` (the key opens nothing); `seat`, `turn`, `seen` (the position since that turn) and `over` are the server's
 * answers, `news` what this player was told in this match, and when; `sent` is what is on its way; `note` what became of
 * it; `problem` what went wrong.
 */
export class Place {
  constructor(changed) {
    this.changed = changed;
    this.state = NEW;
    this.key = sessionStorage.getItem(KEY);
    this.word = null;
    this.after = -1;
    this.told = []; // by the turns of this match
    this.passed = { news: [] }; // the same by positions, earlier
    this.answers = new Map(); // to look-ups
    // Without a network nobody answers; what is waited for is asked again once it is there.
    addEventListener("offline", () => this.cut.abort());
    this.cut = new AbortController();
  }
  #set(change) {
    this.state = { ...this.state, ...change };
    this.changed(this.state);
  }
  /** Sit down, and follow what happens until the match is over, another tab takes the place, or the key opens nothing. */
  async follow() {
    if (!this.key) return this.#set({ status: "closed", problem: new Problem(401, NONE) });
    let [failures, isWatched] = [0, false];
    for (const stop = (this.stop = {}); stop === this.stop; ) {
      try {
        if (!this.word) await this.#sit();
        if (!isWatched) this.#watch(stop);
        isWatched = true;
        const goesOn = await this.#next();
        failures = 0;
        if (!goesOn) return undefined;
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        if (!this.#bear(problem)) return undefined;
        failures += 1;
        // What was on its way may not have arrived: the turn is asked for again.
        this.after = (this.state.turn?.turn ?? 0) - 1;
        await pause(problem.status === 503 ? 2000 : patience(failures));
      }
    }
    return undefined;
  }
  /** Whether to try again after a problem. */
  #bear(problem) {
    if (problem.status === 401) this.#set({ status: "closed", problem: new Problem(401, CLOSED) });
    else if (problem.status === 409 && problem.where === "place") {
      this.word = null;
      this.#set({ status: "elsewhere" });
    } else {
      if (problem.status === 503) this.#set({ status: "idle", problem });
      else if (problem.status) this.#set({ problem });
      return true;
    }
    return false;
  }
  get #match() {
    const { seat, turn } = this.state;
    return turn?.match ?? this.next ?? seat.match ?? seat.last_match;
  }
  get #turn() {
    return `/turn/${this.state.turn.turn}`;
  }
  async #sit() {
    this.word = (await this.ask("/take", { body: {} })).data.place;
    await this.#look();
  }
  async #look() {
    this.#set({ seat: (await this.ask("")).data });
  }
  /** What comes next: a turn, nothing yet, or the match's end; false at the end. */
  async #next() {
    const { seat, turn, status: before } = this.state;
    const match = this.#match;
    if (!match) return this.#end({ ending_words: seat.state_words, next: false });
    const asked = { after: this.after, wait: before === "loading" ? 0 : WAIT_S, match };
    const { status, data } = await this.ask(`/turn?${new URLSearchParams(asked)}`, { accepts: [410] });
    if (status === 410) return this.#end(data);
    if (status === 204) {
      await this.#look();
      if (this.state.status !== "asked") this.#set({ status: this.state.seat.state === "not running" ? "idle" : "waiting", problem: null });
      return true;
    }
    if (seat.match !== data.match) await this.#look();
    this.after = data.turn;
    const isSame = turn?.match === data.match && turn.turn === data.turn;
    const until = typeof data.seconds_left === "number" ? performance.now() + 1000 * data.seconds_left : null;
    if (!isSame) this.told = [...(asked.after < 0 || turn?.match !== data.match ? [] : this.told), ...(data.news ?? [])];
    const told = isSame ? {} : { seen: null, news: this.#news(data.match), sent: null, note: "" };
    this.#set({ status: "asked", turn: { ...data, until }, problem: null, ...told });
    return true;
  }
  #end(over) {
    this.next = over.next_match;
    this.told = [...this.told, ...(over.news ?? [])];
    this.#set({ status: "over", over, sent: null, note: "", problem: null, news: this.#news(over.match) });
    return false;
  }
  #news(match) {
    const { match: of, news } = this.passed;
    return timed(match, of === match && news.length > this.told.length ? news : this.told);
  }
  #saw(data) {
    this.passed.news = [...this.passed.news, ...data.news];
    const isSince = data.after_turn >= (this.state.turn?.turn ?? -1);
    this.#set({ news: this.#news(data.match), ...(isSince && { seen: data }) });
  }
  /** Follow the position, which changes also while others play. */
  async #watch(stop) {
    for (let [failures, match, after] = [0, null, -1]; stop === this.stop && this.#match; ) {
      if (match !== this.#match) [match, after] = [this.#match, -1];
      if (after < 0) this.passed = { match, news: [] };
      try {
        const { status, data } = await this.ask(`/position?${new URLSearchParams({ after, wait: WAIT_S, match })}`, { accepts: [410] });
        failures = 0;
        if (status === 410 || stop !== this.stop) return;
        if (status === 204 || match !== this.#match) continue;
        if (data.match === match) {
          after = data.position;
          this.#saw(data);
        } else await pause(2000); // another one is at hand, as its turn will say
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        if ([401, 409].includes(problem.status)) return; // as the turn is told
        await pause(patience(++failures));
      }
    }
  }
  /** Send an action; what is lost on the way is sent again, which gives the same answer. */
  async play(action, label) {
    const { turn } = this.state;
    if (this.state.sent) return;
    const sent = { label };
    // The next turn or the end may be told before the answer to what led there.
    const isOpen = () => this.state.sent === sent;
    this.#set({ sent, note: "", problem: null });
    for (let failures = 0; isOpen(); failures++) {
      try {
        const { status, data } = await this.ask(`/turn/${turn.turn}/try/${turn.try}?match=${turn.match}`, { body: { action, means: "browser" }, accepts: [422] });
        if (!isOpen()) return;
        if (status === 422) this.#refused(turn, action, label, data);
        else this.#set({ status: "waiting", sent: null, note: `You played: ${label}.` });
        return;
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        if (problem.status === 0) await pause(patience(failures + 1));
        else return void (isOpen() && this.#failed(problem));
      }
    }
  }
  #failed(problem) {
    if (!this.#bear(problem)) return void (this.stop = null);
    // What is asked by now is told by the next answer.
    this.#set(problem.status === 409 ? { status: "waiting", sent: null, note: "", problem } : { sent: null, problem });
  }
  #refused(turn, action, label, data) {
    const rejected = [...(turn.rejected ?? []), { kind: data.kind, reason: data.reason, answer: turn.schema ? JSON.stringify(action) : label }];
    if (data.refusals_left === 0 || data.try === undefined) this.#set({ status: "waiting", sent: null, note: data.words ?? turn.on_last_refusal ?? "", turn: { ...turn, rejected, refusals_left: 0 } });
    else this.#set({ sent: null, turn: { ...turn, try: data.try, rejected, refusals_left: data.refusals_left } });
  }
  /** What the rules say of an action, without a try: `{legal, words}`, `{legal, kind, reason}`, or nothing. */
  async check(action) {
    if (this.state.seat?.checks !== "free") return null;
    return this.ask(`${this.#turn}/check?match=${this.state.turn.match}`, { body: { action } }).then(({ data }) => data, () => null);
  }
  /** The answer to a look-up; in one turn the same question is sent and counted once. */
  lookUp(name, given) {
    const { match, turn } = this.state.turn;
    const question = JSON.stringify([match, turn, name, given]);
    const answer = this.answers.get(question) ?? this.#lookUp(name, given);
    this.answers.set(question, answer);
    answer.catch(() => this.answers.delete(question));
    return answer;
  }
  async #lookUp(name, given) {
    const { turn } = this.state;
    const { data } = await this.ask(`${this.#turn}/query/${encodeURIComponent(name)}?match=${turn.match}`, { body: { arguments: given } });
    const now = this.state.turn;
    const asked = (own) => (own.name === name ? { ...own, left: own.left && own.left - 1 } : own);
    if (now.turn === turn.turn) this.#set({ turn: { ...now, queries: now.queries.map(asked) } });
    return data;
  }
  /** Get up: the match is given up. */
  async leave() {
    try {
      await this.ask(`/leave?match=${this.state.turn?.match ?? this.state.seat.match}`, { body: {} });
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.#set({ problem });
    }
  }
  /** Go on: take the place back from another tab, or begin the next match. */
  goOn() {
    this.cut.abort();
    this.after = -1;
    this.told = [];
    this.#set(NEW);
    this.word = null;
    return this.follow();
  }
  #fetch(path, { body = null }) {
    if (this.cut.signal.aborted) this.cut = new AbortController();
    return fetched(`/seat${path}`, { key: this.key, method: body ? "POST" : "GET", body, headers: this.word ? { "Arena-Place": this.word } : {}, signal: this.cut.signal });
  }
  /** Status and data of an answer; a `Problem` where it is neither a success nor of those that are expected. */
  async ask(path, { body = null, accepts = [] } = {}) {
    let answer;
    try {
      answer = await this.#fetch(path, { body });
    } catch (error) {
      heard(false);
      throw error instanceof Problem ? error : new Problem(0, { what: "there is no network connection" });
    }
    heard(true);
    const data = answer.status === 204 ? null : await answer.json().catch(() => ({}));
    if (!answer.ok && !accepts.includes(answer.status)) throw problemOf(answer, data, "seat");
    return { status: answer.status, data };
  }
}
