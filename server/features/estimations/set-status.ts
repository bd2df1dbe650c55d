import type { EstimationStatus } from "../../../contract/statuses.ts";
import type { StateCall } from "./change-content.ts";
import type { LockedEstimation } from "./look-up-store.ts";
import { updateEstimation } from "./store.ts";

/** Stores another state as the next revision. The caller checks whether the transition is allowed. */
export const setStatus = ({ db, estimation, now }: StateCall, status: EstimationStatus): Promise<LockedEstimation> =>
  updateEstimation(db, estimation, { status }, now);
