// The place on a page of an element that is made elsewhere.
import { html, useLayoutEffect, useRef } from "./html.js";

export const Held = ({ element, ...more }) => {
  const place = useRef(null);
  useLayoutEffect(() => place.current.replaceChildren(element), [element]);
  return html`<div ref=${place} ...${more}></div>`;
};
