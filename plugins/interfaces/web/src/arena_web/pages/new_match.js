// New match: a game, who plays it, how often; several of these in a queue; and the run that comes of it.
import { ask, useAnswer } from "./api.js";
import { Choice, Folded, Typed } from "./field.js";
import { html, many, useEffect, useRef, useState } from "./html.js";
import { Answer, Empty, Later, Panel, say, useTitle } from "./parts.js";
import { REFUSALS, blank, keep, kept, matchesOf, planOf, seated } from "./new_plan.js";
import { Player, nameOf } from "./new_player.js";
import { SceneView } from "./scene.js";
import { Starting } from "./starting.js";

const PAUSE_MS = 400;
const CLOSED = "This link shows runs and starts none. Open the one that `arena view` printed, without `--read-only`.";

export default function NewMatch({ me }) {
  useTitle("New match");
  const mayStart = me?.right === "host" && !me.read_only;
  const choices = useAnswer(mayStart ? "/new/choices" : null);
  if (me && !mayStart) return html`<div><h1>New match</h1><${Empty} text=${CLOSED} /></div>`;
  return html`<div class="new-match">${!choices.data && html`<h1>New match</h1>`}<${Answer} answer=${choices} rows=${8} label="loading what can be played">${(found) => html`<${Form} choices=${found} />`}<//></div>`;
}

/** A copy of an object in which the value at a path is another. */
const put = (whole, [first, ...rest], value) => {
  const copy = Array.isArray(whole) ? [...whole] : { ...whole };
  copy[first] = rest.length ? put(copy[first], rest, value) : value;
  return copy;
};

/** The first position of a game with these parameters, and what the rules say against them. */
function usePosition(game) {
  const [state, set] = useState({});
  const asked = JSON.stringify(game);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!game.use) return undefined;
    const stop = new AbortController();
    const load = () => ask("/new/position", { body: { game }, signal: stop.signal }).then((position) => set({ asked, game, position }), (error) => error.name !== "AbortError" && set((old) => ({ ...old, asked, error })));
    const timer = setTimeout(load, isFirst.current ? 0 : PAUSE_MS);
    isFirst.current = false;
    return () => (clearTimeout(timer), stop.abort());
  }, [asked]);
  const isSame = state.game?.use === game.use;
  const before = isSame ? state.game : { use: game.use };
  // What differs from the last game that there is.
  const changed = [...new Set([...Object.keys(before), ...Object.keys(game)])].filter((name) => name !== "players" && JSON.stringify(before[name]) !== JSON.stringify(game[name]));
  return { position: isSame ? state.position : null, error: state.asked === asked ? (state.error ?? null) : null, changed, isLoading: state.asked !== asked };
}

/** What was filled in, the mistakes in it, and how both change. */
function useDraft(choices) {
  const [draft, set] = useState(() => {
    const own = kept(choices);
    return own.pairings[0].game.use ? own : put(own, ["pairings", 0, "game", "use"], firstGame(choices));
  });
  const [keys, setKeys] = useState([]);
  const known = useRef({ keys: [], sent: Promise.resolve() });
  const [wrong, setWrong] = useState([]);
  const [pressed, press] = useState(0);
  useEffect(() => keep(draft), [draft]);
  useEffect(() => {
    ask("/new/keys").then(({ keys: found }) => haveKeys(() => found.filter((own) => own.is_set).map((own) => String(own.name))), () => {});
  }, []);
  const haveKeys = (change) => setKeys((known.current.keys = change(known.current.keys)));
  /** Send a key once; what needs it waits for that. */
  const sendKey = (name, key) => {
    const sending = ask("/new/keys", { body: { name, key } }).then(() => haveKeys((old) => [...new Set([...old, name])]));
    known.current.sent = sending.catch(() => {});
    return sending;
  };
  const keysNow = () => known.current.sent.then(() => known.current.keys);
  const change = (path, value) => set((old) => put(old, path, value));
  /** What the plan amounts to, with all mistakes; where it was pressed, the first of them gets the focus. */
  const check = async (isPressed, signal = null) => {
    const { plan, placeOf } = planOf(draft, await keysNow());
    const found = await ask("/new/match", { body: plan, signal });
    const told = found.problems.map(({ pointer, what }) => ({ path: placeOf(pointer), what: String(what) }));
    const all = told.filter((own, place) => told.findIndex((other) => other.path === own.path && other.what === own.what) === place);
    setWrong(all);
    if (isPressed && all.length) {
      const first = Number(/^\/pairings\/(\d+)\//.exec(all[0].path)?.[1] ?? draft.at);
      set((old) => ({ ...old, at: Math.min(first, old.pairings.length - 1) }));
      press((old) => old + 1);
      say(`${many(all.length, "mistake")}: ${all.map((own) => own.what).join(". ")}`, true);
    }
    return { ...found, isRight: !all.length };
  };
  useEffect(() => {
    if (!pressed) return undefined;
    const first = () => document.querySelector("main [aria-invalid=true]");
    document.querySelector(".mistakes")?.focus();
    // Forms that were folded come a moment later.
    const seen = new MutationObserver(() => document.activeElement?.matches("body, .mistakes") && first()?.focus());
    if (first()) first().focus();
    else seen.observe(document.querySelector("main"), { subtree: true, attributes: true, attributeFilter: ["aria-invalid"], childList: true });
    return () => seen.disconnect();
  }, [pressed]);
  // Once there were mistakes, they follow what is filled in.
  useEffect(() => {
    if (!wrong.length) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => check(false, stop.signal).catch(() => {}), PAUSE_MS);
    return () => (clearTimeout(timer), stop.abort());
  }, [draft, keys]);
  const wrongAt = (path) => wrong.filter((own) => `${own.path}/`.startsWith(`${path}/`)).map((own) => ({ ...own, path: own.path.slice(path.length) }));
  return { draft, set, change, keys, haveKeys, sendKey, keysNow, wrong, setWrong, wrongAt, check };
}

const firstGame = ({ games }) => String((games.find((own) => own.players?.includes(2)) ?? games[0])?.name ?? "");

function Form({ choices }) {
  const own = useDraft(choices);
  const { draft, set, change, wrong, setWrong, wrongAt } = own;
  const at = Math.min(draft.at, draft.pairings.length - 1);
  const pairing = draft.pairings[at];
  const path = ["pairings", at];
  const game = choices.games.find((each) => each.name === pairing.game.use);
  const shown = usePosition({ use: pairing.game.use, ...pairing.game.parameters, ...(game?.players.length > 1 && game.players.includes(pairing.players.length) ? { players: pairing.players.length } : {}) });
  const [round, again] = useState(0);
  const key = `${round}/${at}`;
  const counts = shown.position?.players ?? game?.players ?? [];
  const usual = shown.position?.usual ?? game?.usual ?? counts[0];
  useEffect(() => {
    if (counts.length && !counts.includes(pairing.players.length)) change([...path, "players"], seated(pairing.players, usual));
  }, [JSON.stringify(counts), at]);
  const restart = () => {
    set(put(blank(choices), ["pairings", 0, "game", "use"], firstGame(choices)));
    setWrong([]);
    again(round + 1);
    say("Everything is as it was at the beginning.");
  };
  const choose = (name) => {
    change([...path, "game"], { use: name, parameters: {} });
    const usually = choices.games.find((each) => each.name === name)?.usual;
    if (usually) change([...path, "players"], seated(pairing.players, usually));
  };
  const count = matchesOf(pairing);
  return html`<div>
    <div class="head"><h1>New match</h1><span class="grow"></span><button type="button" onClick=${restart}>Start over</button></div>
    <p class="facts">Models, computing agents and people play any game that is installed. What you fill in stays in this browser; keys do not.</p>
    <${Queue} draft=${draft} wrong=${wrong} set=${set} choices=${choices} />
    <${Panel} title="Game" key=${`game/${key}`}><div class="beside-picture"><div class="fields">
      <${Choice} label="Game" hint=${game?.title && game.title.toLowerCase() !== game.name.replaceAll("-", " ") ? game.title : null} value=${pairing.game.use} options=${choices.games.map(({ name }) => [String(name), String(name)])} wrong=${wrongAt(`/pairings/${at}/game`).filter((each) => ["", "/use"].includes(each.path))} put=${choose} />
      ${game && html`<${Folded} key=${`${key}/${game.name}`} schema=${game.schema} value=${pairing.game.parameters} change=${(next) => change([...path, "game", "parameters"], next)} label=${game.name} wrong=${ofGame(wrongAt(`/pairings/${at}/game`), shown)} />`}
      </div><${Picture} ...${shown} /></div><//>
    <${Panel} title="Players" key=${`players/${key}`}>
      ${counts.length > 1 && html`<${Choice} label="Number of players" value=${String(pairing.players.length)} options=${counts.map((each) => [String(each), String(each)])} put=${(next) => change([...path, "players"], seated(pairing.players, Number(next)))} />`}
      <div class="seats">${pairing.players.map((player, seat) => html`<${Player} key=${seat} seat=${seat} name=${shown.position?.seats?.[seat]} player=${player} put=${(more, value) => change([...path, "players", seat, ...more], value)} choices=${choices} position=${shown.position} wrongAt=${(more) => wrongAt(`/pairings/${at}/players/${seat}${more}`)} draft=${own} />`)}</div><//>
    <${Panel} title="Matches" key=${`matches/${key}`}><div class="row">
      <${Typed} label="Number of matches" hint="in each order of seats, if they rotate" inputmode="numeric" value=${pairing.repeats} wrong=${wrongAt(`/pairings/${at}/repeats`)} put=${(next) => change([...path, "repeats"], next)} />
      <label class="check"><input type="checkbox" checked=${pairing.rotate} onChange=${(event) => change([...path, "rotate"], event.target.checked)} />Rotate seats: everybody plays in each</label>
      ${count > 0 && html`<p class="soft small total">${many(count, "match", "matches")} of this pair</p>`}</div><//>
    <${Policy} key=${`policy/${round}`} policy=${draft.policy} choices=${choices} wrongAt=${wrongAt} put=${(name, value) => change(["policy", name], value)} />
    <${Run} key=${`run/${round}`} own=${own} /></div>`;
}

/** What is wrong with the settings of a game: what the plan says, and, at what was changed last, what the game says. */
function ofGame(wrong, { error, changed }) {
  const found = wrong.filter((each) => !["", "/use"].includes(each.path));
  if (!error) return found;
  return [...found.filter((each) => !error.what.endsWith(each.what)), { path: changed.length === 1 ? `/${changed[0]}` : "", what: error.what }];
}

function Picture({ position, error, isLoading }) {
  const place = useRef(null);
  const view = useRef(null);
  const scene = position?.scene;
  useEffect(() => {
    if (!scene) return;
    view.current ??= new SceneView();
    place.current.replaceChildren(view.current.element);
    view.current.show(scene);
  }, [scene]);
  return html`<figure class=${`first-position ${isLoading || error ? "is-older" : ""}`} aria-busy=${isLoading && !error ? "true" : null}><figcaption class="soft small">${error && !isLoading ? "there is no such game" : "the first position"}</figcaption>
    <div ref=${place} hidden=${!scene}></div>${position && !scene && html`<pre class="words" tabindex="0" role="group" aria-label="the first position in words" dir="auto">${position.words}</pre>`}</figure>`;
}

/** All that will be played, in order: which pair is shown below, another one, one less. */
function Queue({ draft, wrong, set, choices }) {
  const add = () => {
    set((old) => ({ ...old, pairings: [...old.pairings, structuredClone(old.pairings[old.at])], at: old.pairings.length }));
    say("Another pair is in the queue, like the one before; change it below.");
  };
  const remove = (place) => {
    set((old) => ({ ...old, pairings: old.pairings.filter((_, own) => own !== place), at: Math.max(0, old.at - (old.at >= place ? 1 : 0)) }));
    say("The pair is out of the queue.");
  };
  const mistakes = (place) => wrong.filter((own) => own.path.startsWith(`/pairings/${place}/`)).length;
  return html`<${Panel} title="Queue" aside=${html`<button type="button" onClick=${add}>Add a game or pair</button>`}>
    <ol class="queue">${draft.pairings.map((own, place) => html`<li key=${place} aria-current=${place === draft.at ? "true" : null}><span class="grow"><span class="soft">${place + 1}.</span> <b>${own.game.use}</b> ${own.players.map(nameOf).join(" – ")}<span class="soft small"> · ${matchesOf(own) > 0 ? many(matchesOf(own), "match", "matches") : "no match"}${Object.entries(own.game.parameters).map(([name, value]) => ` · ${name} ${typeof value === "object" ? JSON.stringify(value) : value}`)}</span>${mistakes(place) > 0 && html` <span class="form-wrong">${many(mistakes(place), "mistake")}</span>`}</span>
      ${draft.pairings.length > 1 && html`${place === draft.at ? html`<span class="chip live">shown below</span>` : html`<button type="button" aria-label=${`Change pair ${place + 1}`} onClick=${() => set((old) => ({ ...old, at: place }))}>Change</button>`}<button type="button" aria-label=${`Remove pair ${place + 1}`} onClick=${() => remove(place)}>Remove</button>`}</li>`)}</ol><//>`;
}

function Policy({ policy, choices, wrongAt, put }) {
  const wrong = wrongAt("/illegal_actions");
  const named = choices.policies.map((own) => [String(own.name), `as in ${own.name}`]);
  const about = choices.policies.find((own) => own.name === policy.use);
  const count = policy.count || "other";
  return html`<${Panel} title="Illegal moves"><div class="row">
    <${Choice} label="How many are allowed" value=${policy.use} options=${[["", "a number"], ...named]} hint=${about?.title ?? null} wrong=${policy.use ? wrong : []} put=${(next) => put("use", next)} />
    ${!policy.use && html`<${Choice} label="Illegal moves allowed" value=${count} options=${[...REFUSALS.map((own) => [own, own]), ["other", "another number"]]} wrong=${count === "other" ? [] : wrong} put=${(next) => put("count", next === "other" ? "" : next)} />
      ${count === "other" && html`<${Typed} label="Number" inputmode="numeric" value=${policy.other} wrong=${wrong} put=${(next) => put("other", next)} />`}
      <${Choice} label="Counted" value=${policy.per} options=${[["turn", "per turn"], ["match", "per match"]]} put=${(next) => put("per", next)} />
      <${Choice} label="Then" value=${policy.then} options=${Object.entries(choices.after_last_try)} put=${(next) => put("then", next)} />`}</div><//>`;
}

/** What the run is called, the mistakes in it, and what is done with it. */
function Run({ own }) {
  const { draft, change, keys, wrong, wrongAt, check, haveKeys } = own;
  const [file, setFile] = useState({});
  const of = JSON.stringify([{ ...draft, at: 0 }, keys]);
  const prepare = async () => {
    const { isRight, benchmark, text } = await check(true);
    const name = draft.name.trim();
    return isRight ? { body: { benchmark, ...(name ? { name } : {}) }, text } : null;
  };
  const heard = (names, isSet) => haveKeys((old) => [...old.filter((each) => !names.includes(each)), ...(isSet ? names : [])]);
  const show = (press, isBusy) => html`<button type="button" disabled=${isBusy} onClick=${press("the file is written", async ({ text }) => setFile({ of, text: String(text) }))}>The file</button>`;
  return html`<${Panel} title="Run"><div class="row">
      <${Typed} label="Name" hint="letters, digits, . _ and -; blank: after the first game" value=${draft.name} wrong=${wrongAt("/name")} put=${(next) => change(["name"], next)} />
      <${Typed} label="Seed" hint="the same seed, the same deals" inputmode="numeric" value=${draft.seed} wrong=${wrongAt("/seed")} put=${(next) => change(["seed"], next)} /></div>
    ${wrong.length > 0 && html`<div class="wrong mistakes" tabindex="-1"><p><b>${many(wrong.length, "mistake")}</b> to mend before it can be played:</p><ul>${wrong.map(({ path, what }, place) => html`<li key=${place}>${what} <span class="soft small">(${wordsOf(path)})</span></li>`)}</ul></div>`}
    <${Starting} prepare=${prepare} of=${of} name="Estimate" more=${show} heard=${heard} />
    ${file.of === of && html`<${Later} key=${of} load=${() => import("./new_file.js")} text=${file.text} name=${draft.name.trim()} />`}<//>`;
}

/** Where a mistake is, in words. */
function wordsOf(path) {
  const [, what, place, part, seat, ...rest] = path.split("/");
  if (what !== "pairings") return path.slice(1).replaceAll("/", ", ").replaceAll("_", " ");
  return [`pair ${Number(place) + 1}`, part === "players" ? `player ${Number(seat) + 1}` : part, ...(part === "players" ? rest : [seat, ...rest]).filter((own) => own && own !== "parameters")].join(", ");
}
