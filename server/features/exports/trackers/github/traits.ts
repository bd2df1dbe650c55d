import type { Nesting } from "../../../../../domain/exports/shape.ts";
import { TIMEOUT_SECONDS } from "../requests.ts";
import type { Tracker } from "../tracker.ts";

/**
 * What GitHub allows. It refuses more than 80 writes a minute or 500 an hour that create content, so the default of 60
 * a minute comes with 480 an hour; for a self-hosted installation both may be raised, in the same ratio.
 */
export const traitsOf = (writesPerMinute: number) =>
  ({
    target: "github",
    batch: 1,
    smallBatch: 1,
    createTimeoutSeconds: TIMEOUT_SECONDS,
    readBatch: 25,
    placesAtCreation: false,
    pace: { writesPerMinute, writesPerHour: writesPerMinute * 8 },
  }) satisfies Partial<Tracker>;

/** It takes 100 sub-issues of an issue, and eight levels: read in the narrower way, the topmost issue is one of them. */
export const nesting: Nesting = { levels: 8, children: 100 };
