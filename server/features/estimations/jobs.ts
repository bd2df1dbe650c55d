import { defineJob, Interrupted, type JobRow, runJob } from "../../jobs/job.ts";
import { type Removal, removeInBatches } from "../../jobs/removals.ts";
import type { Services } from "../../services/index.ts";
import { endSomeOfTeam } from "./end-team-store.ts";

/** Removes what is left of a deleted team, which may have been given very many estimations and templates. */
export const endTeamJob = defineJob<{ readonly teamId: string }>("end-team");

/** `alsoOfTeams` removes what else deleted teams were given. */
export const estimationJobs = ({ pool }: Pick<Services, "pool">, alsoOfTeams: readonly Removal[]): JobRow[] => [
  runJob(endTeamJob, async ({ teamId }, { signal }) => {
    const removals = [() => endSomeOfTeam(pool, teamId), ...alsoOfTeams];
    await removeInBatches(removals, { signal, mostBatches: Number.POSITIVE_INFINITY });
    if (signal.aborted) throw new Interrupted();
  }),
];
