// What a match can be saved as: files of the server, and pictures that the browser draws.
import { download } from "./api.js";
import { html, number, useState } from "./html.js";
import { Wrong } from "./parts.js";

export default function Saving({ run, match, data, path, as, place }) {
  const [error, setError] = useState(null);
  const [drawn, draw] = useState(0);
  const fetchIt = (form) => () => download({ run, match, form }).then(() => setError(null), setError);
  const paint = (how) => () => {
    draw(1);
    import("./png.js").then(how).then(() => setError(null), (found) => setError({ what: found.message, where: "", remedy: found.remedy ?? "" })).finally(() => draw(0));
  };
  return html`<div class="menu-items">${data.downloads.map((own) => html`<button type="button" key=${own.form} onClick=${fetchIt(own.form)}>${own.title}</button>`)}
    <button type="button" disabled=${drawn} onClick=${paint((png) => png.saveOne(path, as, place))}>this position, as PNG</button>
    <button type="button" disabled=${drawn} onClick=${paint((png) => png.saveAll(path, as, data.positions, draw))}>all positions, as PNGs in a ZIP</button>
    ${drawn > 0 && html`<span class="small soft" role="status">drawing ${number(drawn)} …</span>`}
    ${error && html`<${Wrong} error=${error} />`}</div>`;
}
