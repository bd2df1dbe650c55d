import { request as send } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { TestApp } from "../../harness.ts";
import { judgeResponse } from "../../judged-fetch.ts";

/** A response to a request that no well-behaved client would send. */
export interface RawResponse {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** Sends any method with header lines exactly as given: `[name, value]`, in this order, also repeated ones. */
export function sendRaw(
  { url }: TestApp,
  method: string,
  path: string,
  headers: readonly (readonly [string, string])[] = [],
  body = "",
): Promise<RawResponse> {
  const { hostname, port, host } = new URL(url);
  const length = body === "" ? [] : ["content-length", String(Buffer.byteLength(body))];
  const lines = ["host", host, "connection", "close", ...headers.flat(), ...length];
  return new Promise<RawResponse>((resolve, reject) => {
    const request = send({ hostname, port, method, path, headers: lines }, async (response) =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }),
    );
    request.on("error", reject);
    request.end(body);
  }).then((response) => {
    const { "content-type": type } = response.headers;
    judgeResponse({ ...response, method, path: path.split("?", 1)[0] ?? "", contentType: type ? String(type) : null });
    return response;
  });
}

/** Writes bytes to a connection and returns everything that comes back until the service closes it. */
export function sendBytes({ url }: TestApp, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}
