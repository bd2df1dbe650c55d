import { defineJob } from "../../jobs/job.ts";

/** Reveals a round if that is due: once all have answered, or at its deadline. */
export const revealJob = defineJob<{ readonly roundId: string }>("reveal-round");
