// The page of one player's place, for any game: what is asked, the picture to act in, and what was told.
import { Acts, Position, useActing } from "./acting.js";
import { GetUp, Log, LookUps, Players, Rules } from "./asides.js";
import { useLost } from "./asking.js";
import { html, useEffect, useErrorBoundary, useRef, useState } from "./html.js";
import { Failed, draw } from "./own_page.js";
import { Place, takeSeatKey } from "./place.js";
import { Settings, chime, useSettings } from "./settings.js";
import { Bars, Later, Wrong, say, useTitle } from "./states.js";

/** The place of this tab, and its state. */
function usePlace() {
  const place = useRef(null);
  const [state, set] = useState(null);
  place.current ??= new Place(set);
  useEffect(() => {
    place.current.follow();
  }, []);
  return [place.current, state ?? place.current.state];
}

/** What is asked, in the game's words where it has some. */
const sayOf = (turn) => (turn.rejected?.length ? "That was not accepted: choose again." : turn.touches?.say || (turn.phase === "move" && turn.options ? "It is your turn: choose a move." : turn.say));

const othersOf = ({ players }) => (players.length === 2 ? players.find((own) => !own.is_you).name : "the other players");

/** The one sentence on top, and what stands with it. */
function askedOf({ status, seat, turn, over, sent, note, problem }) {
  if (sent) return `Sending: ${sent.label} …`;
  if (status === "asked") return sayOf(turn);
  if (status === "waiting") return [note, seat.state === "playing" ? `Waiting for ${othersOf(seat)}.` : seat.state_words].filter(Boolean).join(" ");
  if (status === "over") return over.verdict_words || over.ending_words;
  if (status === "elsewhere") return "This seat is played in another tab.";
  if (status === "idle") return problem?.what || seat?.state_words || "Nobody plays this run at the moment.";
  return "Opening your seat …";
}

function Asked({ place, state, isLost }) {
  const { status, turn, over, problem } = state;
  const sentence = useRef(null);
  // What had the focus may be gone once it is sent; the sentence has it then, and no key is lost.
  useEffect(() => {
    if (document.activeElement === document.body && status !== "loading") sentence.current.focus({ preventScroll: true });
  }, [status, state.sent, turn?.turn]);
  const isDone = status === "idle" || (status === "over" && !over.next);
  const again = { over: over?.next ? "Next match" : "", elsewhere: "Play here" }[status];
  return html`<div class=${`ask is-${state.sent ? "waiting" : status}`}><div class="grow"><p class="sentence" tabindex="-1" ref=${sentence} dir="auto">${askedOf(state)}</p>
      ${status === "over" && over.verdict_words && over.ending !== "rules" && html`<p class="small" dir="auto">${over.ending_words}</p>`}
      ${status === "over" && html`<p class="small">${over.next ? "Another match of this seat follows." : "This was the last match of this seat."}</p>`}
      ${status === "idle" && html`<p class="small">Your seat is kept, and this page continues by itself.</p>`}
      ${status === "elsewhere" && html`<p class="small">Only one tab plays a seat; nothing is lost.</p>`}</div>
    ${isLost && html`<span class="lost" role="alert">connection lost, trying again</span>`}
    ${status === "asked" && turn.until !== null && html`<${Later} load=${() => import("./clock.js")} key=${`${turn.match}/${turn.turn}`} until=${turn.until} />`}
    ${again && html`<button type="button" class="main" onClick=${() => place.goOn()}>${again}</button>`}
    ${isDone && place.key === sessionStorage.getItem("arena.study") && html`<a class="button main" href="/study">Back to the study</a>`}</div>`;
}

/** What happens is told to who listens: what was said politely, one's turn and what went wrong at once. */
function useTold(state, settings) {
  const { status, turn, over, news, note, problem } = state;
  const count = useRef(0);
  useEffect(() => {
    const fresh = news.slice(count.current).map((own) => own.words);
    count.current = news.length;
    if (fresh.length) say(fresh.slice(-5).join(". "));
  }, [news]);
  useEffect(() => {
    if (status === "asked") say(sayOf(turn), true);
    if (status === "asked" && settings.chime) chime();
    if (status === "over") say(over.verdict_words || over.ending_words, true);
    if (status === "elsewhere") say("This seat is played in another tab.", true);
  }, [status, turn?.match, turn?.turn]);
  useEffect(() => {
    const last = turn?.rejected?.at(-1);
    if (last) say(`not accepted: ${last.reason}`, true);
  }, [turn?.rejected?.length]);
  useEffect(() => {
    if (note) say(note);
  }, [note]);
  useEffect(() => {
    if (problem) say(problem.what, true);
  }, [problem]);
}

function openRules() {
  const rules = document.getElementById("rules");
  rules.open = true;
  rules.firstElementChild.focus();
}

function Table({ place, state, settings, choose }) {
  const isLost = useLost();
  const { seat, status, turn, over, problem } = state;
  const acting = useActing(place, state, isLost, settings);
  useTold(state, settings);
  const isMine = status === "asked" && !state.sent;
  useTitle(`${isMine && settings.title ? "● Your turn – " : ""}${seat ? seat.game_title : "Your seat"}`);
  const hasMatch = ["asked", "waiting"].includes(status);
  return html`<div>
    <div class="head"><h1>${seat ? seat.game_title : "Your seat"}</h1>${seat && html`<span class="chip">you are ${seat.seat}</span>`}${seat?.matches > 1 && html`<span class="chip">match ${seat.match_number} of ${seat.matches}</span>`}<span class="grow"></span>${seat?.rules && html`<button type="button" onClick=${openRules}>Rules</button>`}${hasMatch && html`<${GetUp} leave=${() => place.leave()} />`}</div>
    <${Asked} place=${place} state=${state} isLost=${isLost} />
    ${over && html`<${Later} load=${() => import("./after.js")} key=${over.match} over=${over} />`}
    ${problem && status !== "idle" && html`<${Wrong} error=${problem} />`}
    ${status === "loading" && !seat ? html`<${Bars} rows=${6} label="opening your seat" />` : html`<div class=${`table ${turn?.schema && !over ? "is-form" : ""}`}>
      <section class="panel" aria-label="Position"><h2 class="unseen">Position</h2><${Position} place=${place} state=${state} views=${acting.views} /></section>
      <div class="stack" hidden=${status !== "asked"}>
        <section class="panel" aria-label="Your move"><h2 class="unseen">Your move</h2><${Acts} state=${state} acting=${acting} /></section>
        ${status === "asked" && turn.queries?.length > 0 && html`<${LookUps} key=${`${turn.match}/${turn.turn}`} place=${place} turn=${turn} acting=${acting} />`}
      </div>
      <div class="stack more">
        <${Log} news=${state.news} />
        ${seat && html`<${Players} players=${seat.players} returns=${over?.returns ?? null} />`}
        ${seat?.rules && html`<${Rules} text=${seat.rules} />`}
        <${Settings} chosen=${settings} choose=${choose} />
      </div></div>`}</div>`;
}

function Guarded() {
  const [error, again] = useErrorBoundary();
  const [place, state] = usePlace();
  const [settings, choose] = useSettings();
  if (error) return html`<${Failed} error=${error} again=${again} remedy="load it again; nothing that you sent is lost" />`;
  if (state.status === "closed") return html`<div><h1>Not open</h1><${Wrong} error=${state.problem} /></div>`;
  return html`<${Table} place=${place} state=${state} settings=${settings} choose=${choose} />`;
}

draw(Guarded, () => "your seat", takeSeatKey);
