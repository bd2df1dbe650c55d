import { endTeamJob } from "../features/estimations/index.ts";
import type { WhenEnded } from "../features/teams/index.ts";
import { addJob } from "../jobs/job-store.ts";

/** Without its members, what a deleted team was given gives nobody anything, so a job may remove it. */
export const whenTeamEnds: readonly WhenEnded[] = [(tx, teamId) => addJob(tx, endTeamJob, { teamId })];
