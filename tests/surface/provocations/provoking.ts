import type { RequestOptions, Response, TestApp, TestUser } from "../../harness.ts";

/** What is compared of the response to a request that is refused. */
export interface Refusal {
  readonly status: number;
  readonly text: string;
}

/** Sends a request that is refused with a certain error. */
export type Provocation = () => Promise<Refusal>;

/** What provocations are made with. */
export interface Provoking {
  readonly app: TestApp;
  readonly owner: TestUser;
  /** The path of an estimation of `owner`. */
  readonly path: string;
  asOwner(method: string, url: string, options?: RequestOptions): Promise<Response>;
  /** Starts an instance that is not local, once: addresses are not verified there. */
  mailing(): Promise<TestApp>;
}
