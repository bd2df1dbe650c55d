import type { RequestOf } from "../../../contract/client/client.ts";
import type { Endpoint } from "../../../contract/endpoint.ts";
import type { Json, TestApp, TestUser } from "../../harness.ts";
import type { World } from "../samples.ts";

/** A request that succeeds for every row of table `T`, given a world: a row without one does not compile. */
export type Samples<T extends Record<string, Endpoint>> = {
  readonly [K in keyof T]: (world: World) => RequestOf<T[K]>;
};

/** What the records of a world are made with. */
export interface Making {
  readonly app: TestApp;
  /** Whose records they become. */
  readonly user: TestUser;
  /** Sends a request as that user and returns `data` of the response. Throws unless the response is a success. */
  call(method: string, path: string, body?: unknown): Promise<Json>;
}
