import { availableParallelism } from "node:os";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { BackupKeys } from "../db/backup/format.ts";
import type { Database } from "../db/database.ts";
import { createQuotas, type Quotas } from "../http/quotas.ts";
import type { Clock } from "../platform/clock.ts";
import { type Compute, createCompute } from "../platform/compute.ts";
import { createIds, type Ids } from "../platform/ids.ts";
import { createOwnedIds, type OwnedIds } from "../platform/owned-ids.ts";
import { createPasswords, type HashCost, type Passwords } from "../platform/passwords.ts";
import { createSealing, type Sealing } from "../platform/sealing.ts";
import * as computations from "./computations.ts";
import { backupKeysOf, deriveKey, type Secrets } from "./secrets.ts";

/** What every feature receives; created once. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The ids of the nodes and options of an estimation, which is named by its id. */
  readonly treeIds: (estimationId: string) => OwnedIds;
  readonly pool: Database;
  readonly quotas: Quotas;
  readonly sealing: Sealing;
  readonly passwords: Passwords;
  /** Key of the session tokens' HMAC, at least 32 bytes. */
  readonly sessionSecret: Uint8Array;
  /** Keys of HMACs, 32 bytes each: in links that turn mails off, in links of accounts, and in receipts of suggestions. */
  readonly linkKeys: Readonly<Record<"unsubscribe" | "account" | "suggestion", Uint8Array>>;
  readonly backupKeys: BackupKeys;
  readonly log: Logger;
  /** Long pure computations, in worker threads. */
  readonly compute: Compute<typeof computations>;
}

interface Given extends Pick<Services, "config" | "clock" | "log" | "pool"> {
  readonly secrets: Secrets;
  readonly passwordCost?: HashCost | undefined;
}

export function createServices({ secrets, passwordCost, ...given }: Given): Services {
  const ids = createIds(given.clock);
  return {
    ...given,
    ids,
    quotas: createQuotas(given.config.quotas),
    treeIds: createOwnedIds(deriveKey(secrets.ENCRYPTION_KEY, "ids of trees"), ids),
    passwords: createPasswords({ cost: passwordCost }),
    sessionSecret: secrets.SESSION_SECRET,
    linkKeys: {
      unsubscribe: deriveKey(secrets.ENCRYPTION_KEY, "links that turn mails off"),
      account: deriveKey(secrets.ENCRYPTION_KEY, "links of accounts"),
      suggestion: deriveKey(secrets.ENCRYPTION_KEY, "receipts of suggestions"),
    },
    sealing: createSealing(secrets.ENCRYPTION_KEY),
    backupKeys: backupKeysOf(secrets),
    compute: createCompute({
      file: new URL("./computations.ts", import.meta.url),
      functions: computations,
      threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
      long: ["forecastMilestones"],
      onBegin: (computation) => given.log.debug({ computation }, "computing"),
    }),
  };
}
