import { accessFollowsTheRule } from "./access-follows-the-rule.ts";
import { activityAsDeclared } from "./activity-as-declared.ts";
import { bodiesHoldWhatTheyMay, bodiesUnderAuthAreSmall } from "./bodies.ts";
import { changedCursorsAreRefused, noCursorsAreRefused, pagesGoOn } from "./cursors.ts";
import { eventsAsDeclared } from "./events-as-declared.ts";
import { filtersAreBounded, filtersTakeSeveralValues } from "./filters.ts";
import { formsAreSaidInWords } from "./forms.ts";
import type { Loop } from "./loop.ts";
import { madeIsAtItsLocation } from "./made-is-at-its-location.ts";
import { nulsAreRefused } from "./nul-in-texts.ts";
import { quotasAreReserved } from "./quotas-are-reserved.ts";
import { otherReadOnlyFieldsAreRefused, recordsAreIdentified, recordsAreTakenBack } from "./read-only-fields.ts";
import { responsesAreNotStored } from "./responses-not-stored.ts";
import { samplesSucceed } from "./samples-succeed.ts";
import { otherScopesAreRefused, scopesAreJudgedFirst } from "./scopes.ts";
import { staleRevisionsAreRefused } from "./stale-revisions.ts";
import { statesAreJudged } from "./states.ts";
import { impossibleIdsAreAbsent, recordsBelongToTheirParent, strangersFindNothing } from "./strangers-find-nothing.ts";
import { keysInAddressesAreRefused, uselessCredentialsAreRefused } from "./useless-credentials.ts";
import { oddNumbersAreRefused, unknownQueriesAreRefused, wrongBodiesAreRefused } from "./wrong-input.ts";

/**
 * Every loop over the contract that needs nothing but a sample. `loops.test.ts` runs them for each endpoint, except a few that have
 * files and stages of their own.
 */
export const loops = {
  samplesSucceed,
  eventsAsDeclared,
  activityAsDeclared,
  quotasAreReserved,
  uselessCredentialsAreRefused,
  keysInAddressesAreRefused,
  otherScopesAreRefused,
  scopesAreJudgedFirst,
  accessFollowsTheRule,
  strangersFindNothing,
  impossibleIdsAreAbsent,
  recordsBelongToTheirParent,
  staleRevisionsAreRefused,
  bodiesHoldWhatTheyMay,
  bodiesUnderAuthAreSmall,
  formsAreSaidInWords,
  wrongBodiesAreRefused,
  unknownQueriesAreRefused,
  oddNumbersAreRefused,
  recordsAreIdentified,
  recordsAreTakenBack,
  otherReadOnlyFieldsAreRefused,
  pagesGoOn,
  noCursorsAreRefused,
  changedCursorsAreRefused,
  responsesAreNotStored,
  nulsAreRefused,
  madeIsAtItsLocation,
  filtersTakeSeveralValues,
  filtersAreBounded,
  statesAreJudged,
} satisfies Record<string, Loop>;
