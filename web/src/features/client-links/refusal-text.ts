import { failureText, isRefusal } from "../../api/failure.ts";
import { clientLinkTexts as t } from "./texts.ts";

/** Questions that are named. */
const NAMED = 3;

/** Returns why a page was not published. */
export function refusalText(error: unknown): string {
  if (isRefusal(error, "rate_missing")) return t.rateMissing;
  if (!isRefusal(error, "tree_incomplete")) return failureText(error);
  const rows = error.body.errors ?? [];
  return [t.unanswerable, ...rows.slice(0, NAMED).map(({ message }) => message)].join(" ");
}
