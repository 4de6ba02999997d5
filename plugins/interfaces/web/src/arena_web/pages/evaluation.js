// What the positions of a match were worth: a bar below the board, and the choice that led to the one in sight.
import { ask, query } from "./api.js";
import { html, many, number, useEffect, useState } from "./html.js";
import { written } from "./numbers.js";
import { Wrong, say } from "./parts.js";
import { Progress } from "./progress.js";

/** The turns that were valued, asked for again and again until all are there. */
function useValued(path, isAsked, told) {
  const [state, set] = useState({ turns: [], read: 0, is_over: false });
  useEffect(() => {
    if (!isAsked) return undefined;
    const stop = new AbortController();
    (async () => {
      let [turns, found] = [[], { is_over: false }];
      while (!found.is_over) {
        found = await ask(`${path}/evaluation${query({ after: turns.length })}`, { signal: stop.signal });
        turns = [...turns, ...found.turns];
        set({ ...found, turns });
        told(turns);
      }
      say(`${many(turns.filter((own) => own.is_blunder).length, "blunder")} found.`);
    })().catch((error) => error.name !== "AbortError" && set((old) => ({ ...old, error, is_over: true })));
    return () => stop.abort();
  }, [path, isAsked]);
  return state;
}

/** Who is ahead, in words: of an exact value who wins, else the share of what there is to win. */
function worthOf(own, names) {
  if (own.share === null) return `${names[own.player]} to move: ${written(own.best)} expected`;
  if (own.is_exact && [0, 0.5, 1].includes(own.share)) return own.share === 0.5 ? "a draw with best play" : `${names[own.share ? 0 : 1]} wins with best play`;
  return `${names[0]} ${written(own.share, "share")}, ${names[1]} ${written(1 - own.share, "share")}`;
}

function Choice({ own, names }) {
  const what = own.is_missed_win ? "missed the win" : own.is_blunder ? "blunder" : "";
  if (!own.loss) return html`<p class="small soft">${names[own.player]} chose as well as possible.</p>`;
  return html`<p class="small">${what && html`<span class="mark blunder">${what}</span> `}${names[own.player]} gave away ${written(own.loss)}; better: <b dir="auto">${own.better}</b></p>`;
}

export default function Evaluation({ path, at, total, players, told }) {
  const [isAsked, setAsked] = useState(false);
  const { turns, read, is_over, problem, error } = useValued(path, isAsked, told);
  const names = players.map((own) => own.title || own.agent || own.seat);
  if (!isAsked) return html`<div class="controls"><button type="button" onClick=${() => setAsked(true)}>Evaluate the positions</button></div>`;
  if (error || problem) return html`<${Wrong} error=${error ?? { what: problem, where: "", remedy: "" }} />`;
  const [here, before] = [at, at - 1].map((place) => turns.find((own) => own.turn === place));
  const blunders = turns.filter((own) => own.is_blunder).length;
  const methods = [...new Set(turns.map((own) => own.method))];
  return html`<div class="valued">
    ${here ? html`<div>${here.share !== null && html`<div class="balance" role="img" aria-label=${worthOf(here, names)}><i style=${{ width: `${100 * here.share}%` }}></i></div>`}<p class="small">${worthOf(here, names)}</p></div>` : html`<p class="small soft">${at >= total ? "The match is over here." : is_over ? "This position has no value: nobody chose alone, or nothing can be said." : "This position is still being evaluated."}</p>`}
    ${before && html`<${Choice} own=${before} names=${names} />`}
    ${!is_over && html`<${Progress} done=${read} planned=${total} label="turns evaluated" />`}
    ${methods.length > 0 && html`<p class="small soft">${is_over ? `${many(blunders, "blunder")}; ` : `${number(read)} of ${many(total, "turn")}; `}by ${methods.join(", else ")}</p>`}</div>`;
}
