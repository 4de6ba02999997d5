// What is wrong with a value in a form: said next to each field, which is found by its path.
import { inside } from "./form.js";
import { make } from "./elements.js";

let said = 0; // on all forms of a page
const FIELDS = "input, textarea, select";
/** A place by one of the two ways in which keys are spelt. */
const alike = (pointer) => pointer?.replaceAll("_", "-");

/** Say next to each field what is wrong with it, `[{path, what}]`, in place of what was said before. */
export function blame(form, problems) {
  for (const own of form.element.querySelectorAll(".form-wrong")) own.remove();
  for (const own of form.element.querySelectorAll("[aria-invalid]")) {
    own.removeAttribute("aria-invalid");
    describe(own, own.dataset.note);
  }
  for (const { path, what } of problems) {
    const found = fieldAt(form, path);
    if (!found) continue;
    const told = make("p", { class: "form-wrong", id: `form-wrong-${(said += 1)}`, dir: "auto" }, what);
    if (found.matches(FIELDS)) {
      found.setAttribute("aria-invalid", "true");
      describe(found, `${found.getAttribute("aria-describedby") ?? ""} ${told.id}`.trim());
      found.closest(".form-line").append(told);
    } else (found.querySelector(":scope > legend, :scope > h2, :scope > summary") ?? found.firstElementChild ?? found).after(told);
  }
}

/** Go to the field of a path. */
export function reach(form, path) {
  const found = fieldAt(form, path);
  (found?.matches(FIELDS) ? found : found?.querySelector(`${FIELDS}, button, summary`))?.focus();
}

function describe(element, id) {
  if (id) element.setAttribute("aria-describedby", id);
  else element.removeAttribute("aria-describedby");
}

/** The field of a path, else the smallest part that holds it; what it is folded away in is opened. */
function fieldAt(form, path) {
  const pointers = path.reduce((all, name) => [...all, inside(all.at(-1), name)], ["#"]);
  for (const fold of folds(form)) if (pointers.some((own) => fold.held.some((each) => alike(each) === alike(own)))) form.unfold(fold);
  const all = [...form.element.querySelectorAll("[data-pointer], [data-at]")];
  // The very same spelling comes first.
  const ways = [(own, pointer) => own === pointer, (own, pointer) => alike(own) === alike(pointer)];
  for (const pointer of pointers.reverse())
    for (const isSame of ways) {
      const found = all.find((own) => isSame(own.dataset.pointer, pointer)) ?? all.find((own) => isSame(own.dataset.at, pointer));
      if (found) return found;
    }
  return null;
}

/** What is folded, also in what is opened meanwhile. */
function* folds({ element }) {
  const seen = new Set();
  for (let found; (found = [...element.querySelectorAll("details:not([open])")].find((own) => !seen.has(own))); seen.add(found)) yield found;
}
