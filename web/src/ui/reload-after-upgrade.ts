const RELOADED = "reloaded-at";
const ONCE_IN_MS = 60_000;

/** As browsers say that a module could not be loaded: none of them has a type or a code for it. */
const IS_LOADING = /dynamically imported module|importing a module script failed|unable to preload/i;

/** Returns whether `error` says that a file of the application is gone, as after the service was upgraded. */
export const isGone = (error: unknown): boolean => error instanceof Error && IS_LOADING.test(error.message);

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Fields that somebody has typed into since their form was sent last. */
const typed = new WeakSet<object>();
addEventListener("input", ({ target }) => target && typed.add(target), true);
addEventListener("submit", ({ target }) => {
  for (const field of (target as HTMLFormElement).elements) typed.delete(field);
});

/**
 * Whether only `field` has what was typed into it: its form was not sent, or was refused. A field without a form stores it once it is
 * left; a search is in the address.
 */
const isUnsent = (field: Field) =>
  field.value !== "" &&
  !field.closest("search, [type=search]") &&
  (field.form
    ? typed.has(field) || field.form.querySelector("[aria-invalid=true], [role=alert]")
    : typed.has(field) && field.matches(":focus, [aria-invalid=true]"));

/** Whether reloading now would lose what somebody has begun: edits that only this page has, a dialog, a text that is being written. */
const wouldLose = () =>
  !dispatchEvent(new Event("beforeunload", { cancelable: true })) ||
  document.querySelector("dialog[open]") !== null ||
  [...document.querySelectorAll<Field>(":is(input, textarea):read-write")].some(isUnsent);

/**
 * Reloads the page if `error` says that a file is gone: not if something would be lost, nor offline, nor again within a minute. Returns
 * whether it does.
 */
export async function reloadAfterUpgrade(error: unknown): Promise<boolean> {
  const mayReload = () => Date.now() - Number(sessionStorage.getItem(RELOADED)) >= ONCE_IN_MS && !wouldLose();
  if (!isGone(error) || !mayReload()) return false;
  const isReached = await fetch("/icon.svg", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
  // Several parts may be gone: the first one reloads.
  if (!isReached || !mayReload()) return false;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
  return true;
}
