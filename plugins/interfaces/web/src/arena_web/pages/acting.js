// A turn of one's own: the picture with what can be touched, the form, and what the rules say before anything is sent.
import { FormView } from "./form.js";
import { Held } from "./held.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { SceneView } from "./scene.js";
import { say } from "./states.js";
import { TouchView } from "./touches.js";

const DRAFT = "arena.seat.draft";
const CHECK_MS = 300;
const nameOf = (turn) => `${turn.match}/${turn.turn}`;

/** What was filled in for a turn before the page was loaded again; undefined where nothing was. */
function draftOf(turn) {
  const kept = JSON.parse(sessionStorage.getItem(DRAFT) ?? "null");
  return kept?.turn === nameOf(turn) ? kept.value : undefined;
}

/** Everything to act with in one place; `use` puts an action into the form, or before the person to be confirmed. */
export function useActing(place, state, isLost, settings) {
  const { turn, status, sent } = state;
  const canAct = status === "asked" && !sent && !isLost;
  const [value, setValue] = useState(undefined);
  const [pending, setPending] = useState(null);
  const [verdict, setVerdict] = useState(null);
  const [asking, setAsking] = useState(null);
  const newest = useRef({});
  const choose = (action, label, isSure = !settings.confirm) => (isSure ? place.play(action, label) : setPending({ action, label }));
  const changed = (next) => {
    sessionStorage.setItem(DRAFT, JSON.stringify({ turn: nameOf(turn), value: next }));
    setValue(next);
  };
  newest.current = { choose, changed };
  const views = useRef(null);
  views.current ??= makeViews(place, newest, setAsking);
  const { form, touch } = views.current;
  const name = turn && nameOf(turn);
  useLayoutEffect(() => {
    setPending(null);
    setVerdict(null);
    setAsking(null);
    if (!turn?.schema) return;
    form.show(turn.schema, draftOf(turn), turn.touches?.suggest, turn.touches?.names, turn.touches?.sums);
    setValue(form.value);
  }, [name]);
  useLayoutEffect(() => {
    if (canAct) touch.show(turn.scene && turn.touches, turn.options ?? []);
    else touch.clear();
    if (canAct && turn.schema) touch.held(form.value);
  }, [canAct, name]);
  useEffect(() => {
    if (["waiting", "over"].includes(status)) sessionStorage.removeItem(DRAFT);
  }, [status]);
  useEffect(() => {
    const stop = (event) => sessionStorage.getItem(DRAFT) && event.preventDefault();
    addEventListener("beforeunload", stop);
    return () => removeEventListener("beforeunload", stop);
  }, []);
  const judge = (found) => setVerdict(found && { ...found, isPlaced: form.refuse(found.legal ? "" : found.reason) });
  useVerdict(place, state, canAct, value, judge);
  const send = async () => {
    const found = await place.check(value ?? null);
    judge(found);
    if (found && !found.legal) say(`Not sent: ${found.reason}`, true);
    else place.play(value ?? null, found?.words || "what you filled in");
  };
  const use = (action, label) => {
    if (!turn.schema) return setPending({ action, label });
    form.show(turn.schema, action, form.suggest, form.names, form.sums);
    changed(action);
    say("It stands in the form; nothing is sent.");
    return undefined;
  };
  return { views: views.current, canAct, value, pending, setPending, choose, verdict, send, use, asking, setAsking };
}

function makeViews(place, newest, setAsking) {
  const scene = new SceneView();
  const ask = async (query, given) => {
    const { answer, illegal } = await place.lookUp(query, given);
    if (illegal) throw new Error(illegal);
    return answer;
  };
  const left = (query) => place.state.turn.queries?.find((own) => own.name === query)?.left;
  const form = new FormView({ changed: (value) => (touch.held(value), newest.current.changed(value)), ask, left });
  const touch = new TouchView(scene, {
    choose: (...own) => newest.current.choose(...own),
    fill: (changes) => form.fill(changes),
    ask: (query, given) => setAsking({ query, given: given ?? {} }),
  });
  return { scene, form, touch };
}

/** Asks the rules about what stands in the form, shortly after it has changed; what nobody touched is not blamed. */
function useVerdict(place, { turn }, canAct, value, judge) {
  useEffect(() => {
    if (!canAct || !turn.schema || value === undefined) return undefined;
    let isOld = false;
    const timer = setTimeout(async () => {
      const found = await place.check(value);
      if (!isOld && (found?.legal || draftOf(turn) !== undefined)) judge(found);
    }, CHECK_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [value, canAct, turn?.try]);
}

/** The position, drawn; in words where there is no picture of it. */
export function Position({ state, views }) {
  const { turn, over, status, seen } = state;
  const { scene = null, text: words = "" } = over ?? seen ?? turn ?? {};
  const isOlder = status === "waiting" && turn && !seen;
  useLayoutEffect(() => {
    if (scene) views.scene.show(scene);
  }, [scene]);
  return html`<div class=${isOlder ? "is-waiting" : ""}>
    <${Held} element=${views.scene.element} hidden=${!scene} />
    ${!scene && html`<pre class="words" tabindex="0" role="group" aria-label="the position in words" dir="auto">${words || "The position is shown once you are asked."}</pre>`}
    ${isOlder && html`<p class="soft small">as it was when you were asked last</p>`}</div>`;
}

/** The tries of this turn that were refused, and how many are left. */
function Refusals({ turn }) {
  if (!turn.rejected?.length) return null;
  const left = turn.refusals_left;
  const rest = typeof left !== "number" ? "" : left === 1 ? "One try left." : `${left} tries left.`;
  return html`<div class="wrong refusals"><ul>${turn.rejected.map((own, place) => html`<li key=${place}><b>Not accepted: ${own.reason}</b>${own.answer && html` <span class="soft">(your answer: ${own.answer})</span>`}</li>`)}</ul>
    ${rest && html`<p class="small">${rest} ${turn.on_last_refusal}</p>`}</div>`;
}

/** What one does: touches, buttons, a typed move, or a form with Send; and what was refused. */
export function Acts({ state, acting }) {
  const { turn } = state;
  const { views, canAct, pending, setPending, choose, verdict, send } = acting;
  const confirm = useRef(null);
  useEffect(() => confirm.current?.focus(), [pending]);
  const isForm = Boolean(turn?.schema);
  return html`<div class="acts">
    ${turn && html`<${Refusals} turn=${turn} />`}
    <fieldset class="plain" disabled=${!canAct}><legend class="unseen">Choose</legend>
      ${!isForm && turn?.touches?.choices.some((own) => own.path.length) && html`<p class="soft small">Touch what you mean in the picture, or type a move.</p>`}
      <${Held} element=${views.touch.element} />
      <${Held} element=${views.form.element} hidden=${!isForm} />
      ${isForm && html`<div class="send"><button type="button" class="main" disabled=${!canAct} aria-describedby="meant" onClick=${send}>Send</button>
        <p id="meant" class=${verdict && !verdict.legal ? "bad" : ""} dir="auto">${verdict ? (verdict.legal ? verdict.words || "allowed by the rules" : verdict.isPlaced ? "This is not a legal action: see above." : verdict.reason) : state.seat?.checks === "free" ? "" : "The move is checked when you send it."}</p></div>`}
    </fieldset>
    ${pending && html`<div class="send confirm" role="group" aria-label="confirm"><p><b dir="auto">${pending.label}</b></p><button type="button" class="main" ref=${confirm} disabled=${!canAct} onClick=${() => (setPending(null), choose(pending.action, pending.label, true))}>Send</button><button type="button" onClick=${() => setPending(null)}>Take back</button></div>`}</div>`;
}
