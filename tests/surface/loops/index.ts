import { accessFollowsTheRule } from "./access-follows-the-rule.ts";
import { eventsAsDeclared } from "./events-as-declared.ts";
import type { Loop } from "./loop.ts";
import { samplesSucceed } from "./samples-succeed.ts";
import { staleRevisionsAreRefused } from "./stale-revisions.ts";
import { recordsBelongToTheirParent, strangersFindNothing } from "./strangers-find-nothing.ts";
import { unknownQueriesAreRefused, wrongBodiesAreRefused } from "./wrong-input.ts";

/** Every loop over the contract that a sample is enough for. */
export const loops = {
  samplesSucceed,
  eventsAsDeclared,
  accessFollowsTheRule,
  strangersFindNothing,
  recordsBelongToTheirParent,
  staleRevisionsAreRefused,
  wrongBodiesAreRefused,
  unknownQueriesAreRefused,
} satisfies Record<string, Loop>;
