import { randomUUID } from "node:crypto";
import { type Endpoint, isRepeatable, methodsOf } from "../../contract/endpoint.ts";
import { endpointEntries } from "../../contract/index.ts";
import { Failure } from "./failure.ts";
import { pause } from "./stop.ts";

/** Attempts of one request in all, and how long they may wait for each other. */
const MOST_ATTEMPTS = 4;
const LONGEST_WAIT_SECONDS = 60;
/** For all attempts. The service itself gives a request less. */
const PATIENCE_MS = 120_000;

export interface Sending {
  /** Ends reads and waiting. A write that is under way is finished, so that its outcome is known. */
  readonly signal: AbortSignal;
  /** Tells a person why it takes longer. */
  note(text: string): void;
  /** Shows that it takes longer, and for null that it is over. */
  progress(text: string | null): void;
}

/** After this time a person wonders. */
const SLOW_MS = 1_500;

const patterns = endpointEntries.map(([, endpoint]) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replace(/:[A-Za-z]+/g, "[^/]+")}$`),
}));

/** Returns the endpoint of the contract that a request goes to; undefined if it is unknown here. */
export const endpointAt = (method: string, path: string): Endpoint | undefined =>
  patterns.find(({ endpoint, pattern }) => methodsOf(endpoint).some((one) => one === method) && pattern.test(path))
    ?.endpoint;

/**
 * Returns a `fetch` that has patience. A POST gets an `Idempotency-Key`, so that it can be sent again. What may be sent again is,
 * if there is no connection, the service has no room (503), or the first attempt is still under way (409); what was refused by a limit of requests (429) always is. `Retry-After`
 * counts. Throws `Failure` where there is no connection, or no response within `patienceMs`.
 */
export function patientFetch({ signal, note, progress }: Sending, patienceMs = PATIENCE_MS): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(String(input));
    const method = init.method ?? "GET";
    const endpoint = endpointAt(method, url.pathname);
    const headers = new Headers(init.headers);
    headers.set("user-agent", USER_AGENT);
    if (endpoint && isRepeatable(endpoint) && !headers.has("idempotency-key"))
      headers.set("idempotency-key", randomUUID());
    const isRead = method === "GET";
    const mayRepeat = isRead || headers.has("idempotency-key");
    // What is sent after Ctrl-C tidies up.
    const ending = signal.aborted && !isRead ? undefined : signal;
    const isStream = endpoint !== undefined && "stream" in endpoint.response;
    const deadline = isStream ? null : AbortSignal.timeout(patienceMs);
    const endMs = performance.now() + patienceMs;
    for (let attempt = 1; ; attempt += 1) {
      ending?.throwIfAborted();
      const signals = [
        ...(init.signal ? [init.signal] : []),
        ...(isRead ? [signal] : []),
        ...(deadline ? [deadline] : []),
      ];
      const options: RequestInit = { ...init, headers, redirect: "manual", signal: AbortSignal.any(signals) };
      const isLast = attempt === MOST_ATTEMPTS;
      let seconds: number;
      try {
        const response = await showingSlowness(fetch(url, options), url, progress);
        const isLimited = response.status === 429;
        const isUnderWay = headers.has("idempotency-key") && (await saysUnderWay(response));
        if (isLast || !(isLimited || isUnderWay || (response.status === 503 && mayRepeat))) return response;
        seconds = secondsOf(response.headers.get("retry-after")) ?? 2 ** (attempt - 1);
        const isLate = deadline !== null && performance.now() + seconds * 1_000 > endMs;
        if (isLate || seconds > LONGEST_WAIT_SECONDS) return response;
        await response.body?.cancel();
        note(`${isUnderWay ? "It is still under way" : reasonOf(response)}: again in ${seconds} s`);
      } catch (error) {
        if (ending?.aborted || init.signal?.aborted) throw ending?.reason ?? error;
        if (deadline?.aborted) throw new Failure(`no response in time${outcomeOf(mayRepeat)}`, 6);
        if (isLast || !mayRepeat) throw new Failure(lost(url, error, mayRepeat), 6);
        seconds = 2 ** (attempt - 2);
        note(`No connection to ${url.origin}: again in ${seconds} s`);
      }
      await pause(seconds * 1_000, ending);
    }
  };
}

/** Whether an earlier attempt of the same request is still being carried out. */
async function saysUnderWay(response: Response): Promise<boolean> {
  if (response.status !== 409) return false;
  const body = await response.clone().text();
  return /"message":\s*"request_under_way"/.test(body);
}

const reasonOf = ({ status }: Response) => (status === 429 ? "Too many requests" : "The service has no room now");

async function showingSlowness<T>(work: Promise<T>, { origin }: URL, progress: Sending["progress"]): Promise<T> {
  let isShown = false;
  const slow = setTimeout(() => {
    isShown = true;
    progress(`Waiting for ${origin}`);
  }, SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(slow);
    if (isShown) progress(null);
  }
}

const USER_AGENT = `estimate/${process.env.ESTIMATE_VERSION ?? "source"}`;

/** `Retry-After` in seconds; at least one, so that a wrong clock makes no loop. */
function secondsOf(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Math.max(1, Number(header)) : null;
}

function lost(url: URL, error: unknown, mayRepeat: boolean): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  const reason = cause?.code ?? cause?.message ?? message;
  return `no connection to ${url.origin} (${reason})${outcomeOf(mayRepeat)}`;
}

const outcomeOf = (mayRepeat: boolean) => (mayRepeat ? "" : "; whether the change was made is not known");
