import { earliestSentAt } from "../../../domain/shares.ts";
import { type JobRow, runJob, runPeriodically } from "../../jobs/job.ts";
import { addJob } from "../../jobs/job-store.ts";
import type { Services } from "../../services/index.ts";
import { addNotifications } from "../notifications/index.ts";
import { requestDue } from "./mails.ts";
import { listHeard, usersOf } from "./participant-store.ts";
import { revealIfDue } from "./reveal.ts";
import { revealJob } from "./reveal-job.ts";
import { readRounds, takeToLookAt, takeToRemind } from "./store.ts";

const MINUTE_SECONDS = 60;
/** Rounds that one transaction takes. */
const AT_ONCE = 100;

/** Returns the jobs of rounds. */
export const roundJobs = (services: Services): JobRow[] => [
  runJob(revealJob, ({ roundId }) => revealIfDue(services, { roundId })),

  runPeriodically("reveal-due-rounds", MINUTE_SECONDS, async (signal) => {
    while (!signal.aborted && (await lookAtSome(services)) === AT_ONCE);
  }),

  runPeriodically("remind-of-rounds", MINUTE_SECONDS, () => remind(services)),
];

/** Has rounds looked at whose time has come, each by a job of its own, so that one that fails does not hold up others. */
const lookAtSome = ({ pool, clock }: Services): Promise<number> =>
  pool.transaction(async (tx) => {
    const roundIds = await takeToLookAt(tx, clock.now(), AT_ONCE);
    for (const roundId of roundIds) await addJob(tx, revealJob, { roundId });
    return roundIds.length;
  });

/** Tells those who have options left that the deadline is a day away, once in each round. */
async function remind({ pool, clock, ids }: Services): Promise<void> {
  await pool.transaction(async (tx) => {
    const now = clock.now();
    for (const round of await readRounds(tx, await takeToRemind(tx, now, AT_ONCE))) {
      const { id: roundId, estimationId } = round;
      const waiting = (await listHeard(tx, roundId, earliestSentAt(now))).filter(({ waits }) => waits);
      const what = { kind: "round.due", actorId: null, estimationId, subject: { roundId }, now } as const;
      await addNotifications(tx, ids, what, usersOf(waiting));
      const userIds = usersOf(waiting.filter(({ isMailed }) => isMailed));
      await requestDue(tx, { roundId, userIds, now });
    }
  });
}
