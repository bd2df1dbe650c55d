import { authorise } from "../actor.ts";
import { fail } from "../failure.ts";
import type { Check, Step } from "./step.ts";

/** Refuses (403) a key that lacks the row's scope, or any key if the row requires a session. */
export const checkScope: Step<Check> = ({ access }) =>
  access === "anyone" ? null : ({ actor }) => authorise(actor ?? fail("authorization_missing"), access);
