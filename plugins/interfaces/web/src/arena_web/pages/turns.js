// The turns of a match as a list: those in sight are on the page, however many there are.
import { ask, query } from "./api.js";
import { html, many, number, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { Badge, MARKS, MEANINGS } from "./parts.js";

const AROUND = 100;
const WORDS = { substitute: MEANINGS.substitute, withheld: MEANINGS.withheld, forfeit: MEANINGS.forfeit };

const SHORT = 60;
/** The beginning of a text, up to the end of a word. */
const begun = (text) => (text.length > SHORT ? `${text.slice(0, SHORT).replace(/\s+\S*$/, "")} …` : text);

/** All turns by their number; the first hundreds come with the match, more are fetched behind them. */
export function useTurns(path, as, data) {
  const [more, set] = useState({ of: "", turns: [], from: null });
  const of = `${path} ${as}`;
  const kept = more.of === of ? more.turns : [];
  useEffect(() => {
    if (data.next === null || data.next === undefined) return undefined;
    const stop = new AbortController();
    (async () => {
      let [turns, next] = more.of === of ? [more.turns, more.from] : [[], data.next];
      while (next !== null && next !== undefined) {
        const page = await ask(`${path}${query({ as, after: next })}`, { signal: stop.signal });
        const first = page.turns[0]?.turn;
        turns = [...turns.filter((own) => own.turn < first), ...page.turns];
        set({ of, turns, from: next });
        next = page.next;
      }
    })().catch(() => {}); // what is missing is fetched with the next answer
    return () => stop.abort();
  }, [of, data]);
  const found = [];
  for (const turn of [...data.turns, ...kept]) found[turn.turn] = turn;
  return found;
}

/** A list with a hundred turns on either side of the chosen one. */
export function Turns({ turns, total, at, go, players, blunders = null }) {
  const list = useRef(null);
  const [middle, setMiddle] = useState(at);
  const centre = Math.abs(at - middle) > AROUND / 2 ? at : middle;
  useEffect(() => setMiddle(centre), [centre]);
  const [from, to] = [Math.max(0, centre - AROUND), Math.min(total, centre + AROUND)];
  useLayoutEffect(() => {
    const current = list.current?.querySelector('[aria-current="true"]');
    if (!current) return;
    const [top, height] = [current.offsetTop - list.current.offsetTop, list.current.clientHeight];
    if (top < list.current.scrollTop || top + current.offsetHeight > list.current.scrollTop + height) list.current.scrollTop = top - height / 2;
  }, [at, turns.length]);
  const places = Array.from({ length: to - from }, (_, own) => from + own);
  return html`<div>${from > 0 && html`<button type="button" class="quiet wide" onClick=${() => setMiddle(Math.max(0, centre - AROUND))}>${many(from, "earlier turn")}</button>`}
    <ol class="turns" ref=${list} aria-label="Turns" start=${from + 1}>${places.map((place) => html`<${TurnRow} key=${place} place=${place} turn=${turns[place]} isChosen=${at === place + 1} go=${go} players=${players} isBlunder=${Boolean(blunders?.has(place))} />`)}</ol>
    ${to < total && html`<button type="button" class="quiet wide" onClick=${() => setMiddle(Math.min(total, centre + AROUND))}>${many(total - to, "later turn")}</button>`}</div>`;
}

function TurnRow({ place, turn, isChosen, go, players, isBlunder }) {
  if (!turn) return html`<li class="soft small">${place + 1} …</li>`;
  const agent = players[turn.player]?.agent ?? "told";
  const marks = [...turn.marks.filter((own) => own !== "refused"), ...(isBlunder ? ["blunder"] : [])];
  return html`<li>
    <button type="button" class="turn" aria-current=${isChosen ? "true" : null} onClick=${() => go(place + 1)}>
      <span class="n">${place + 1}</span><${Badge} player=${turn.player} /><span class="unseen">${agent}: </span><span class="action" dir="auto">${turn.action}</span>
      <span class="marks">${marks.map((mark) => html`<span key=${mark} class=${`mark ${mark}`} title=${WORDS[mark]}>${MARKS[mark] ?? mark}</span>`)}</span></button>
    ${turn.refused.length > 0 && html`<ul class="tried">${turn.refused.slice(0, 4).map((own, index) => html`<li key=${index} title=${`${own.kind}: ${String(own.reason).split(/[;:{]/)[0]}`}><span class="mark">${MARKS.refused}</span> <span dir="auto">${begun(own.answer || own.kind)}</span></li>`)}${turn.refused.length > 4 && html`<li>and ${number(turn.refused.length - 4)} more</li>`}</ul>`}
  </li>`;
}
