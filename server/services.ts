import type { Logger } from "pino";
import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import type { Clock } from "./platform/clock.ts";
import type { Ids } from "./platform/ids.ts";
import type { OwnedIds } from "./platform/owned-ids.ts";
import type { Passwords } from "./platform/passwords.ts";
import type { Sealing } from "./platform/sealing.ts";

/** What every feature is given; `app.ts` makes it once. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The ids of the nodes and options of an estimation, which is named by its id. */
  readonly treeIds: (estimationId: string) => OwnedIds;
  readonly pool: Database;
  readonly sealing: Sealing;
  readonly passwords: Passwords;
  /** Key of the session tokens' HMAC, at least 32 bytes. */
  readonly sessionSecret: Uint8Array;
  readonly log: Logger;
}
