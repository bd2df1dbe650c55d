/** The typed client of the service. Signatures of webhooks are verified by the entry `./webhooks`. */
export { ForeignResponse, NotModified } from "../../contract/client/client-responses.ts";
export { type ClientOptions, createClient, type Fetch } from "./client.ts";
export { ApiError, ConnectionError } from "./errors.ts";
export type { RetryOptions } from "./retry.ts";
export type * from "./schema.gen.ts";
export type { Client, DataOf, RequestOf } from "./types.ts";
