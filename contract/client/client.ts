import { type Contract, contract } from "../index.ts";
import { type Client, clientOf } from "./client-of.ts";

export * from "./client-of.ts";

/** A client of all endpoints: `clientOf` with the table of the contract. */
export const createClient = (
  baseUrl: string,
  credential: () => string | null = () => null,
  send: typeof fetch = fetch,
): Client => clientOf<Contract>(contract, baseUrl, credential, send);
