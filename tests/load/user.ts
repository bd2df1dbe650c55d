import type { Tally } from "./tally.ts";

/** A JSON value whose fields are read without declaring a type. */
export type Json = { readonly [name: string]: Json } & { readonly [index: number]: Json } & {
  readonly length?: number;
};

export interface Response {
  /** 0: there was no response. */
  readonly status: number;
  readonly data: Json;
}

/** A user of the service, through one of its processes. */
export interface User {
  readonly id: string;
  readonly email: string;
  send(kind: string, method: string, path: string, body?: object): Promise<Response>;
}

const NOTHING = {} as Json;

/** Sends a request, and counts its response. */
async function send(tally: Tally, url: string, kind: string, init: RequestInit): Promise<Response> {
  const begin = performance.now();
  try {
    const response = await fetch(url, init);
    const { data = NOTHING } = (await response.json()) as { data?: Json };
    tally.add(kind, response.status, performance.now() - begin);
    return { status: response.status, data };
  } catch {
    tally.add(kind, 0, performance.now() - begin);
    return { status: 0, data: NOTHING };
  }
}

/** Registers a user at the process with the address `url`. Throws where that fails. */
export async function register(url: string, name: string, tally: Tally): Promise<User> {
  const json = { "content-type": "application/json" };
  const email = `${name}@example.com`;
  const body = JSON.stringify({ email, name, password: "correct horse battery" });
  const { status, data } = await send(tally, `${url}/api/auth/register`, "register", {
    method: "POST",
    headers: json,
    body,
  });
  if (status !== 201) throw new Error(`registering returned ${status}`);
  const headers = { authorization: `Bearer ${data.token}` };
  return {
    id: String(data.user?.id),
    email,
    send: (kind, method, path, content) =>
      send(tally, url + path, kind, {
        method,
        ...(content ? { headers: { ...headers, ...json }, body: JSON.stringify(content) } : { headers }),
      }),
  };
}
