// The frame of a page whose link opens one thing.
import { html, render, useEffect } from "./html.js";
import { Wrong } from "./states.js";
import { Theme, dress } from "./theme.js";

/** In place of a page that failed. */
export const Failed = ({ error, again, remedy }) => html`<div><h1>Not shown</h1><${Wrong} error=${{ what: "this page cannot show what the server sent", where: String(error.message), remedy }} again=${again} /></div>`;

/** Draw a page; `What` says what it is, `takeKey` takes a key out of the address. */
export function draw(Content, What, takeKey) {
  function App() {
    useEffect(() => {
      const arrive = () => takeKey() && location.reload();
      addEventListener("hashchange", arrive);
      return () => removeEventListener("hashchange", arrive);
    }, []);
    return html`<div><a class="skip" href="#content">Skip to the content</a>
      <header class="bar"><span class="home">arena</span><span class="grow soft small"><${What} /></span><${Theme} /></header>
      <main id="content" tabindex="-1"><${Content} /></main>
      <div class="unseen" aria-live="polite" id="said"></div><div class="unseen" role="alert" id="said-at-once"></div></div>`;
  }
  takeKey();
  dress();
  render(html`<${App} />`, document.body);
}
