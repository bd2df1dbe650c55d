import { ApiError, type Client, createClient, ForeignResponse } from "../../contract/client/client.ts";
import type { ErrorBody } from "../../contract/values/error-body.ts";
import { type Access, accessOf } from "./config.ts";
import { type ExitCode, exitCodeOf } from "./exit-codes.ts";
import { Failure, Interrupted } from "./failure.ts";
import { clean, cleanAll } from "./screen/text.ts";
import { patientFetch, type Sending } from "./send.ts";

/** The service, with the credential of the person. */
export interface Connection {
  readonly url: string;
  /** Returns data as they are: what a terminal shows of them goes through `cleanAll`. */
  readonly client: Client;
  /** Sends any request to a path below the service's address. */
  request(path: string, init: RequestInit): Promise<Response>;
}

/** Returns the service that the person is signed in to, or that `access` names. Throws `Failure` if there is no key. */
export function connect(sending: Sending, access: Access = accessOf()): Connection {
  const { url, key } = access;
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Failure("a key has no spaces and only plain characters", 3);
  const send = patientFetch(sending);
  return {
    url,
    client: createClient(url, () => key, send),
    request(path, init) {
      const headers = new Headers(init.headers);
      headers.set("authorization", `Bearer ${key}`);
      return send(url + path, { ...init, headers });
    },
  };
}

/** Returns a response that is not a success as the error that the typed client throws for it. */
export async function errorOf(response: Response): Promise<ApiError | ForeignResponse> {
  const { status, headers } = response;
  try {
    const body = JSON.parse(await response.text()) as ErrorBody;
    if (typeof body.message === "string") return new ApiError(status, headers, body);
  } catch {}
  return new ForeignResponse(status, headers);
}

/** What a person is told of an error, and how the program ends. */
export interface Told {
  readonly lines: readonly string[];
  readonly exitCode: ExitCode;
}

/** Returns an error in words. Nothing of the request is among them: no key can be. */
export function tell(error: unknown): Told {
  if (error instanceof Interrupted) return { lines: [], exitCode: error.exitCode };
  if (error instanceof Failure) return { lines: error.message.split("\n"), exitCode: error.exitCode };
  if (error instanceof ApiError) return tellRefusal(error);
  if (error instanceof ForeignResponse) {
    const { status, headers } = error;
    const target = headers.get("location");
    const moved = status >= 300 && status < 400 && target ? `: it leads to ${clean(target)}` : "";
    return { lines: [`what responds is not the service (${status})${moved}`], exitCode: exitCodeOf(status) };
  }
  const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
  if (name === "TimeoutError") return { lines: ["no response in time"], exitCode: 6 };
  // How `fetch` reports a connection that breaks within a response.
  if (error instanceof TypeError && /terminated|fetch failed/.test(message))
    return { lines: [`the connection broke (${message})`], exitCode: 6 };
  return { lines: [clean(message)], exitCode: 1 };
}

const MOST_ROWS = 20;

function tellRefusal({ status, body }: ApiError): Told {
  const { message, hint, docUrl, requestId, details, errors } = cleanAll(body) as ErrorBody & {
    readonly details?: object;
    readonly errors?: readonly { path: string; line?: number; message: string }[];
  };
  const rows = (errors ?? []).map(({ path, line, message }) =>
    [line === undefined ? path : `line ${line}`, message].filter(Boolean).join(": "),
  );
  const more = rows.length > MOST_ROWS ? [`  and ${rows.length - MOST_ROWS} more`] : [];
  return {
    lines: [
      `${message} (${status})`,
      ...rows.slice(0, MOST_ROWS).map((row) => `  ${row}`),
      ...more,
      ...(details === undefined ? [] : [`  ${JSON.stringify(details)}`]),
      ...(hint === undefined ? [] : [`  ${hint}`]),
      ...(docUrl === undefined ? [] : [`  ${docUrl}`]),
      ...(requestId === undefined ? [] : [`  Request ${requestId}`]),
    ],
    exitCode: exitCodeOf(status, message),
  };
}
