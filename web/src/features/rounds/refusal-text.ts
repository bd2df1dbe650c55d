import { failureText, isRefusal } from "../../api/failure.ts";
import { roundTexts } from "./texts.ts";

const t = roundTexts.refusals;

/** Returns why something in a round failed, in a sentence for the reader. */
export function refusalText(error: unknown): string {
  if (isRefusal(error, "round_too_few") && error.body.message === "round_too_few")
    return t.round_too_few(error.body.details?.needed ?? 2);
  // The others need no details.
  const key = (Object.keys(t) as (keyof typeof t)[]).find((each) => isRefusal(error, each));
  const text = key && t[key];
  return typeof text === "string" ? text : failureText(error);
}
