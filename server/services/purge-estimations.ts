import type { Forget } from "../features/estimations/index.ts";
import { forgetEvidence } from "../features/suggestions/index.ts";
import { freeVersions } from "../features/versions/index.ts";

/**
 * What goes with estimations that are removed for good although no foreign key reaches it: what their versions count for
 * their owners, and evidence that was computed from their tasks. Everything else refers to them with `on delete cascade`, a
 * new table too: `removal.test.ts` fails otherwise.
 */
export const purgeEstimations: readonly Forget[] = [freeVersions, forgetEvidence];
