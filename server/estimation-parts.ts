import { removeActivityForGood } from "./features/activity/index.ts";
import type { RemovePart } from "./features/estimations/index.ts";
import { removeExportsForGood } from "./features/exports/index.ts";
import { removeLedgerForGood } from "./features/ledger/index.ts";
import { removeReviewsForGood } from "./features/reviews/index.ts";
import { removeSharesForGood } from "./features/shares/index.ts";
import {
  removeFeedbackForGood,
  removeModelAnswersForGood,
  removeStoredEvidenceForGood,
} from "./features/suggestions/index.ts";
import { removeTasksForGood, removeTaskTotalsForGood } from "./features/tasks/index.ts";
import { removeMessagesForGood } from "./features/threads/index.ts";
import { removeThreadsForGood, removeVersionsForGood } from "./features/versions/index.ts";

/**
 * Remove what the features store about an estimation when it is removed for good; in this order, because rows refer to
 * those of later functions. A new table that refers to estimations needs one here: `removal.test.ts` fails without it.
 */
export const estimationParts: readonly RemovePart[] = [
  removeExportsForGood,
  removeLedgerForGood,
  removeFeedbackForGood,
  removeModelAnswersForGood,
  removeStoredEvidenceForGood,
  removeTasksForGood,
  removeTaskTotalsForGood,
  removeMessagesForGood,
  removeThreadsForGood,
  removeReviewsForGood,
  removeVersionsForGood,
  removeSharesForGood,
  removeActivityForGood,
];
