import { and, asc, eq, lt } from "drizzle-orm";
import { ROLL_UP_VERSION, summaryHours } from "../../../domain/tree/roll-up.ts";
import { type JobRow, runPeriodically } from "../../jobs/job.ts";
import type { Services } from "../../services.ts";
import { recomputeStored, type StoredHours } from "../estimations/index.ts";
import { versionSnapshots, versions } from "./tables.ts";

/** After an upgrade, the first run comes within this time. A run that finds nothing reads one page of an index. */
const RECOMPUTE_SECONDS = 60;

/** The hours that are stored with versions; their content and number stay. */
export const hoursOfVersions: StoredHours = {
  findOutdated: (db, limit) =>
    db
      .select({ id: versions.id })
      .from(versions)
      .where(lt(versions.rollUpVersion, ROLL_UP_VERSION))
      .orderBy(asc(versions.rollUpVersion), asc(versions.id))
      .limit(limit),
  async recompute(tx, id) {
    const [row] = await tx
      .select({ snapshot: versionSnapshots.snapshot })
      .from(versions)
      .innerJoin(
        versionSnapshots,
        and(
          eq(versionSnapshots.estimationId, versions.estimationId),
          eq(versionSnapshots.contentHash, versions.contentHash),
        ),
      )
      .where(and(eq(versions.id, id), lt(versions.rollUpVersion, ROLL_UP_VERSION)))
      .for("update", { of: versions });
    if (!row) return false;
    const hours = summaryHours(row.snapshot.tree, row.snapshot);
    await tx.update(versions).set({ hours, rollUpVersion: ROLL_UP_VERSION }).where(eq(versions.id, id));
    return true;
  },
};

/** The jobs that the worker runs for versions. */
export const versionJobs = ({ pool, log }: Services): JobRow[] => [
  runPeriodically("recompute-hours-of-versions", RECOMPUTE_SECONDS, async (signal) => {
    const recomputed = await recomputeStored(pool, hoursOfVersions, signal);
    if (recomputed > 0) log.info({ recomputed }, "hours of versions were computed anew with this version's formula");
  }),
];
