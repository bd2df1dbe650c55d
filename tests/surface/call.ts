import type { Endpoint } from "../../contract/endpoint.ts";
import { contract, type EndpointId, type endpointEntries } from "../../contract/index.ts";
import type { Response, TestApp, TestUser } from "../harness.ts";
import { samples, type World } from "./samples.ts";

/** A row of the contract with its id. */
export type EndpointEntry = (typeof endpointEntries)[number];

/** A sample without its types, for code that handles all of them. */
export interface AnySample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** What a test may change of a sample. */
export interface Changes {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly params?: Readonly<Record<string, string>>;
  readonly headers?: Record<string, string>;
  readonly query?: string;
}

export const entryOf = (id: EndpointId): EndpointEntry => [id, contract[id]];

export const sampleOf = (id: EndpointId, world: World): AnySample => samples[id](world) as AnySample;

/** Several values of one parameter are separated by commas; a comma in a value is encoded. */
export const queryOf = (query: AnySample["query"] = {}): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${[value].flat().map(encodeURIComponent).join(",")}`)
    .join("&");

/** Returns who calls an endpoint with its sample. */
export function callerOf({ access }: Endpoint, { user, administrator }: World): TestUser | undefined {
  if (access === "anyone") return undefined;
  return access === "administrator" ? administrator : user;
}

/** Calls endpoint `id` with its sample for `world` and `changes`; by default as the user or the administrator of that world. */
export function callSample(app: TestApp, id: EndpointId, world: World, changes: Changes = {}): Promise<Response> {
  const endpoint: Endpoint = contract[id];
  const sample = sampleOf(id, world);
  const params = { ...sample.params, ...changes.params };
  const path = endpoint.path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    if (params[name] === undefined) throw new Error(`the sample of ${id} has no ${name}`);
    return params[name];
  });
  const query = changes.query ?? queryOf(sample.query);
  const body = "body" in changes ? changes.body : sample.body;
  const token = "token" in changes ? changes.token : callerOf(endpoint, world)?.token;
  return app.request(endpoint.method, query ? `${path}?${query}` : path, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
    ...(changes.headers ? { headers: changes.headers } : {}),
  });
}
