// The page of a study: the text to agree to, questions, the way to the matches and back, and thanks.
import { ask, keyOf, takeKey, useAnswer, useLink, useLost } from "./api.js";
import { BARE } from "./asking.js";
import { html, many, number, useEffect, useRef, useState } from "./html.js";
import { Guarded } from "./guarded.js";
import { draw } from "./own_page.js";
import { Questions } from "./questions.js";
import { Bars, Wrong, say, useTitle } from "./states.js";

const NAMES = { consent: "Taking part", before: "Questions", matches: "Matches", after: "Questions" };
const SEAT = "arena.seat"; // where the page of a seat looks for its key
const PREPARED_MS = 3000;

/** Where one is on the way through the study. */
function Way({ steps, step }) {
  const at = step === "over" ? steps.length : steps.indexOf(step);
  return html`<ol class="way" aria-label="Steps of the study">${steps.map((own, place) => html`<li key=${own} aria-current=${place === at ? "step" : null} class=${place < at ? "is-over" : ""}>${NAMES[own]}${place < at && html`<span class="unseen">: done</span>`}</li>`)}</ol>`;
}

/** Sends something, which gives where one is then; what went wrong stands below the button. */
function useSending(go) {
  const [state, set] = useState({ error: null, isBusy: false });
  const send = async (act) => {
    set({ error: null, isBusy: true });
    try {
      const told = await act();
      set({ error: null, isBusy: false });
      if (told) go(told);
    } catch (error) {
      set({ error, isBusy: false });
      say(error.what ?? "that did not work", true);
    }
  };
  return { ...state, send };
}

function Consent({ told, go }) {
  const { error, isBusy, send } = useSending(go);
  return html`<div><div class="panel prose consent" dir="auto">${told.consent.text}</div>
    ${error && html`<${Wrong} error=${error} />`}
    <p class="head"><button type="button" class="main" disabled=${isBusy} onClick=${() => send(() => ask("/study/consent", { body: { digest: told.consent.digest } }))}>I agree and take part</button></p>
    <p class="soft small">If you do not agree, close this page: nothing is kept.</p></div>`;
}

function Matches({ told, go }) {
  const { error, isBusy, send } = useSending(go);
  const [isPrepared, prepare] = useState(false);
  const { done, total } = told.matches;
  const begin = () => ask("/study/matches", { body: {} }).then(() => {
    sessionStorage.setItem(SEAT, keyOf());
    location.assign("/seat");
  });
  // A model may take its time to be there.
  const begun = () => begin().catch((problem) => {
    if (problem.status !== 503) throw problem;
    prepare(true);
    return new Promise((wait) => setTimeout(wait, PREPARED_MS)).then(begun);
  });
  return html`<div><p>${done ? `${number(done)} of ${many(total, "match", "matches")} ${done === 1 ? "is" : "are"} over.` : `You play ${many(total, "match", "matches")}.`} They are played on a page of their own, which leads back here.</p>
    <p class="soft small">If you close that page or this one, open your link again to continue.</p>
    ${error && html`<${Wrong} error=${error} />`}
    <p class="head"><button type="button" class="main" disabled=${isBusy} onClick=${() => send(begun)}>${done ? "Continue with the matches" : "Begin the matches"}</button>${isBusy && isPrepared && html`<span class="soft" role="status">being prepared …</span>`}</p></div>`;
}

const Over = ({ told }) => html`<div><p>That was all, and everything that you gave is kept.</p>
  <p class="panel">Your code is <b class="code">${told.code}</b></p>
  <p>It stands for you in place of a name. If you want what you gave to be forgotten, answers and matches, tell this code to those who gave you the link.</p></div>`;

const HEADINGS = { consent: "Before you take part", before: "Questions before the matches", matches: "The matches", after: "Questions after the matches", over: "Thank you" };
const PARTS = { consent: Consent, before: Questions, matches: Matches, after: Questions, over: Over };

function Study() {
  const answer = useAnswer("/study");
  const [told, go] = useState(null);
  const heading = useRef(null);
  const now = told ?? answer.data;
  const isLoaded = useRef(false);
  useTitle(now?.title ?? "A study");
  useEffect(() => {
    if (answer.data) go(answer.data);
  }, [answer.data]);
  useEffect(() => {
    if (!now) return;
    // What had the focus is gone once a step is done.
    if (isLoaded.current) heading.current?.focus();
    isLoaded.current = true;
  }, [now?.step]);
  useEffect(() => {
    // A page that the browser kept may show a step that is over.
    const shown = (event) => event.persisted && location.reload();
    addEventListener("pageshow", shown);
    return () => removeEventListener("pageshow", shown);
  }, []);
  if (answer.error && !now) return html`<div><h1>${answer.error.status === 401 ? "Not open" : "A study"}</h1><${Wrong} error=${answer.error} again=${answer.error.status === 401 ? null : answer.again} /></div>`;
  if (!now) return html`<div><h1 class="unseen">A study</h1><${Bars} rows=${6} label="loading the study" /></div>`;
  const Part = PARTS[now.step];
  return html`<div class="study"><div class="head"><h1 dir="auto">${now.title}</h1><span class="grow"></span><span class="chip">your code: <span class="code">${now.code}</span></span></div>
    <${Way} steps=${now.steps} step=${now.step} />
    <h2 tabindex="-1" ref=${heading}>${HEADINGS[now.step]}</h2>
    <${Part} key=${now.step} told=${now} go=${go} /></div>`;
}

const What = () => (useLost() ? html`<span class="lost" role="alert">connection lost, trying again</span>` : "a study");
const Content = () => html`<${Guarded} Page=${Study} remedy="load it again; nothing that you sent is lost" />`;

// The key of this participant alone is used, and in this tab alone.
useLink({ form: BARE, storage: sessionStorage, name: "arena.study", again: "ask for a new one", first: "open your link again" });
draw(Content, What, takeKey);
