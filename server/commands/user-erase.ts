import { createPool, drizzleOver } from "../db/database.ts";
import { migrateDatabase } from "../db/migrate.ts";
import { systemClock } from "../platform/clock.ts";
import { createIds } from "../platform/ids.ts";
import { openExisting } from "./database.ts";
import type { CommandContext } from "./serve.ts";

/** Arguments and options of the command line. */
export interface UserToErase {
  readonly email: string;
  /** The address of who gets the estimations and templates; undefined: they are deleted. */
  readonly to: string | undefined;
  readonly yes: boolean;
}

/**
 * Erases a person, also while the service runs, says what was done, and returns the exit code. Without `yes` it only says what
 * would be done.
 */
export async function eraseUser(
  { config, log, say }: CommandContext,
  { email, to, yes }: UserToErase,
): Promise<number> {
  const database = await openExisting(config, { parts: [], say, onLost: (reason) => say(reason.message) });
  try {
    const pool = createPool(database.connection, log, 2);
    try {
      await migrateDatabase(pool);
      const { erasePerson } = await import("../app.ts");
      const erased = await erasePerson(
        drizzleOver(pool),
        { ids: createIds(systemClock), clock: systemClock },
        { email, to, isTrial: !yes, actorId: null, isAllowed: () => true },
      );
      if (erased === null) throw new Error("one of the accounts was erased meanwhile");
      say(
        yes
          ? `Erased the account ${email} (${erased.userId})`
          : `This would erase the account ${email} (${erased.userId}):`,
      );
      const fate = to === undefined ? "deleted" : `handed over to ${to}`;
      const lines: [string, number][] = [
        [`Estimations ${fate}`, erased.estimations],
        ["Estimations that were deleted before, removed for good", erased.deletedEstimations],
        [`Templates ${fate}`, erased.templates],
        ["Shares of others' estimations removed", erased.shares],
        ["Invitations removed", erased.invitations],
        ["Reviews that were still to be decided withdrawn", erased.reviews],
        ["API keys removed", erased.apiKeys],
        ["Webhooks removed", erased.webhooks],
        ["Connections to trackers removed", erased.connections],
      ];
      for (const [what, count] of lines) say(`  ${what}: ${count}`);
      say("  Comments, verdicts and versions in others' estimations stay, as those of a deleted user");
      if (!yes) say("Nothing was changed. To do it, add --yes; it cannot be undone");
      return 0;
    } finally {
      await pool.end();
    }
  } finally {
    await database.close();
  }
}
