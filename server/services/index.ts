import { availableParallelism } from "node:os";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { BackupKeys } from "../db/backup/format.ts";
import type { Database } from "../db/database.ts";
import { readValueInUse, valuesOf } from "../db/secret-marks.ts";
import { createQuotas, type Quotas } from "../http/quotas.ts";
import type { Clock } from "../platform/clock.ts";
import { type Compute, createCompute } from "../platform/compute.ts";
import { createIds, type Ids } from "../platform/ids.ts";
import { createMetrics, type Metrics } from "../platform/metrics/metrics.ts";
import { createOwnedIds, type OwnedIds } from "../platform/owned-ids.ts";
import { createPasswords, type HashCost, type Passwords } from "../platform/passwords.ts";
import type { SessionKeys } from "../platform/tokens.ts";
import * as computations from "./computations.ts";
import type { InstanceKeys } from "./instance-keys-store.ts";
import type { Sealing } from "./sealing.ts";
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
  /** Keys of the session tokens' HMAC. */
  readonly sessionKeys: SessionKeys;
  /**
   * Keys of HMACs, 32 bytes each. Those in links that turn mails off and in receipts of suggestions hold for good. Those in links
   * of accounts change with the encryption key; a link that was made before is stored, and stays valid.
   */
  readonly linkKeys: {
    readonly unsubscribe: Uint8Array;
    readonly suggestion: Uint8Array;
    readonly account: () => Promise<Uint8Array>;
  };
  /** Key of the HMACs under which tries of signing in are counted, 32 bytes. */
  readonly throttleKey: Uint8Array;
  /** What backups are recognised by that are made now. */
  readonly backupKeys: () => Promise<BackupKeys>;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Long pure computations, in worker threads. */
  readonly compute: Compute<typeof computations>;
}

interface Given extends Pick<Services, "config" | "clock" | "log" | "pool" | "sealing"> {
  readonly secrets: Secrets;
  readonly instanceKeys: InstanceKeys;
  readonly passwordCost?: HashCost | undefined;
}

export function createServices({ secrets, instanceKeys, passwordCost, ...given }: Given): Services {
  const ids = createIds(given.clock);
  // While there is no former value, what another process makes with a newer one is no reason to ask: it reads both.
  const inUse = async (name: keyof Secrets): Promise<Uint8Array> =>
    secrets[name].former === null ? secrets[name].key : await readValueInUse(given.pool, name, secrets[name]);
  return {
    ...given,
    ids,
    metrics: createMetrics(),
    quotas: createQuotas(given.config.quotas),
    treeIds: createOwnedIds(instanceKeys.treeIds, ids),
    passwords: createPasswords({ cost: passwordCost }),
    sessionKeys: { valid: valuesOf(secrets.SESSION_SECRET), inUse: () => inUse("SESSION_SECRET") },
    linkKeys: {
      unsubscribe: instanceKeys.unsubscribe,
      suggestion: instanceKeys.suggestion,
      account: async () => deriveKey(await inUse("ENCRYPTION_KEY"), "links of accounts"),
    },
    throttleKey: instanceKeys.throttle,
    backupKeys: () => backupKeysOf(given.pool, secrets),
    compute: createCompute({
      file: new URL("./computations.ts", import.meta.url),
      functions: computations,
      threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
      long: ["forecastMilestones", "proposeForMilestone"],
      onBegin: (computation) => given.log.debug({ computation }, "computing"),
    }),
  };
}
