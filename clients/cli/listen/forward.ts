import type { Received, Response } from "./receiver.ts";

/** A forwarded webhook request: the response for the service, and a line for the person at the terminal. */
interface Forwarded {
  readonly response: Response;
  readonly line: string;
}

/** Headers that belong to a connection, not to what is sent over it. */
const OF_CONNECTION = /^(host|connection|content-length|transfer-encoding|expect|keep-alive)$/i;

/** The service itself does not wait longer for a response. */
const PATIENCE_MS = 10_000;

/** Sends a request on to `target` and returns the response, which is what the service gets: 502 if nothing responds. */
export async function forward({ path, headerLines, body }: Received, target: string): Promise<Forwarded> {
  const headers = headerLines
    .filter(([name]) => !OF_CONNECTION.test(name))
    .map(([name, value]): [string, string] => [name, value]);
  try {
    const response = await fetch(target + path, {
      method: "POST",
      headers,
      body: new Uint8Array(body),
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return {
      response: { status: response.status, type: response.headers.get("content-type"), body: bytes },
      line: `${target} responded ${response.status}.`,
    };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return {
      response: { status: 502 },
      line: `${target} did not respond (${cause?.code ?? message}): the service gets 502.`,
    };
  }
}

/** Returns the address that `--forward` names: a port of this machine, or a URL; null where it is neither. */
export function targetOf(given: string): string | null {
  if (/^\d{1,5}$/.test(given))
    return Number(given) >= 1 && Number(given) <= 65_535 ? `http://127.0.0.1:${given}` : null;
  return /^https?:\/\//.test(given) && URL.canParse(given) ? given.replace(/\/+$/, "") : null;
}
