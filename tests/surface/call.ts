import type { Endpoint } from "../../contract/endpoint.ts";
import { contract, type EndpointId } from "../../contract/index.ts";
import type { Answer, TestApp } from "../harness.ts";
import { samples, type World } from "./samples.ts";

/** What a test may change of a sample. */
export interface Changes {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly params?: Readonly<Record<string, string>>;
  readonly headers?: Record<string, string>;
  readonly query?: string;
}

/** Calls endpoint `id` with its sample about `world`, changed as told; without a token, as the user of that world. */
export function callSample(app: TestApp, id: EndpointId, world: World, changes: Changes = {}): Promise<Answer> {
  const endpoint: Endpoint = contract[id];
  const sample = samples[id](world) as {
    params?: Record<string, string>;
    query?: Record<string, string>;
    body?: unknown;
  };
  const params = { ...sample.params, ...changes.params };
  const path = endpoint.path.replace(/:([A-Za-z]+)/g, (_, name: string) => params[name] ?? "");
  const query = changes.query ?? new URLSearchParams(sample.query).toString();
  const body = "body" in changes ? changes.body : sample.body;
  const token = "token" in changes ? changes.token : endpoint.access === "anyone" ? undefined : world.user.token;
  return app.request(endpoint.method, query ? `${path}?${query}` : path, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
    ...(changes.headers ? { headers: changes.headers } : {}),
  });
}
