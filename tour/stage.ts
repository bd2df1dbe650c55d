import { STATUS_CODES } from "node:http";
import { ApiError, type Client, createClient } from "../contract/client/client.ts";
import { Stopped, TourFailure } from "./failure.ts";
import { responseLines } from "./show-response.js";

/** A step as it was played. */
export interface Scene {
  readonly title: string;
  readonly says: string;
  /** What to type for it, as it can be copied. */
  readonly commands: readonly string[];
  /** The response of the service, shortened. */
  readonly response: readonly string[];
  /** What the webhook's receiver shows. */
  readonly received: readonly string[];
}

/** A value of a response that later commands name by a variable. */
interface Remembered<D> {
  readonly read: (data: D) => string;
  /** The shell's way to it, from the last response. */
  readonly command: string;
}

export interface Step<D> {
  readonly title: string;
  /** A line or two: what happens, and what to look at. */
  readonly says: string;
  readonly call: () => Promise<{ readonly status: number; readonly data: D }>;
  readonly status: number;
  /** What to show of the response: headers, and paths in its data. */
  readonly shows: readonly string[];
  /** What later commands name, by variable. */
  readonly remember?: Readonly<Record<string, Remembered<D>>>;
  /** A shell command that prints the body, where that is too long to show. */
  readonly bodyFrom?: string;
  /** Waits for what follows, and returns what the receiver shows. */
  readonly after?: (data: D) => Promise<readonly string[]>;
  /** Removes what the step made; done at the end, however the tour ends. */
  readonly undo?: (data: D) => Promise<unknown>;
}

/** A step that is refused. */
export interface Refusal extends Pick<Step<unknown>, "title" | "says" | "status"> {
  readonly call: () => Promise<unknown>;
  /** The error's `message`. */
  readonly message: string;
}

/** Plays steps against a service, and reports each when it is done. */
export interface Stage {
  /** Throws `Stopped` once the tour was asked to stop. */
  goOn(): void;
  /** Removes what the steps made, the latest first. Returns what could not be removed. */
  cleanUp(): Promise<readonly string[]>;
  /** Its calls are what the steps make. */
  readonly client: Client;
  /** The credential of the calls from here on. */
  use(credential: string): void;
  /** Makes the call, reports it, and returns its data. Throws `TourFailure` if the response is unexpected. */
  step<D>(step: Step<D>): Promise<D>;
  refusal(refusal: Refusal): Promise<void>;
}

interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly response: Response;
  readonly text: string;
}

interface Staging {
  readonly baseUrl: string;
  readonly tell: (scene: Scene) => void;
  /** The names that commands have for values from the start. */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const PATIENCE_MS = 20_000;

export function createStage({ baseUrl, tell, variables: given, signal }: Staging): Stage {
  let credential: string | null = null;
  let last: Exchange | undefined;
  const variables = new Map(Object.entries(given).map(([name, value]) => [value, name]));
  const undoing: { readonly title: string; readonly undo: () => Promise<unknown> }[] = [];
  const goOn = () => {
    if (signal.aborted) throw new Stopped();
  };

  const send: typeof fetch = async (url, init) => {
    // As curl asks for it. Never aborted: what a request made is known only from its response.
    const headers = { ...init?.headers, "accept-encoding": "identity" };
    const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
    const text = await response.clone().text();
    const body = init?.body === undefined ? undefined : String(init.body);
    last = {
      method: init?.method ?? "GET",
      url: String(url),
      headers: new Headers(init?.headers),
      body,
      response,
      text,
    };
    return response;
  };
  const named = (text: string) =>
    [...variables].reduce((named, [value, name]) => named.replaceAll(value, `$${name}`), text);
  /** In single quotes, in which the shell replaces nothing. */
  const quoted = (body: string) =>
    [...variables].reduce((named, [value, name]) => named.replaceAll(value, `'"$${name}"'`), `'${hidePassword(body)}'`);

  const commandOf = (
    { method, url, headers, body }: Exchange,
    shows: readonly string[],
    bodyFrom?: string,
  ): string[] => {
    const words = [`curl -isS ${method === "GET" ? "" : `-X ${method} `}${named(url)}`];
    for (const [name, value] of headers) {
      const header = `${headerName(name)}: ${named(value)}`;
      words.push(header.includes('"') ? `-H '${header}'` : `-H "${header}"`);
    }
    if (body !== undefined) words.push(bodyFrom ? "--data-binary @-" : `-d ${quoted(body)}`);
    const first = bodyFrom ? [`${bodyFrom} |`, `  ${words[0]}`] : [`${words[0]}`];
    const lines = [...first, ...words.slice(1).map((word) => `    ${word}`)];
    lines[lines.length - 1] += " |";
    const sent = lines.map((line) => (line.endsWith("|") ? line : `${line} \\`));
    return [...sent, ["  show", ...shows].join(" ")];
  };
  /** What `show` prints of it. */
  const shownOf = ({ response, text }: Pick<Exchange, "response" | "text">, shows: readonly string[]): string[] => {
    const head = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`];
    for (const [name, value] of response.headers) head.push(`${name}: ${value}`);
    return responseLines(`${head.join("\r\n")}\r\n\r\n${text}`, shows);
  };
  const played = (): Exchange => {
    if (!last) throw new TourFailure("no request was made");
    return last;
  };

  return {
    client: createClient(baseUrl, () => credential, send),
    use(next) {
      credential = next;
    },
    goOn,
    async cleanUp() {
      const left: string[] = [];
      for (let entry = undoing.pop(); entry; entry = undoing.pop()) {
        const { title, undo } = entry;
        await undo().catch((error: unknown) => {
          const isGone = error instanceof ApiError && error.status === 404;
          if (!isGone) left.push(`what "${title}" made could not be removed: ${describe(error, baseUrl)}`);
        });
      }
      return left;
    },
    async step({ title, says, call, status, shows, remember = {}, bodyFrom, after, undo }) {
      goOn();
      const { data } = await call().catch((error: unknown) => {
        throw new TourFailure(`"${title}" failed: ${describe(error, baseUrl)}`);
      });
      if (undo) undoing.push({ title, undo: () => undo(data) });
      const exchange = played();
      const { response, text } = exchange;
      if (response.status !== status) throw new TourFailure(`"${title}" returned ${response.status}, not ${status}`);
      const command = commandOf(exchange, shows, bodyFrom);
      const assigned = Object.entries(remember).map(([name, { read }]) => [name, read(data)] as const);
      for (const [name, value] of assigned) variables.set(value, name);
      const hidden = assigned.reduce((rest, [, value]) => rest.replaceAll(value, hide(value)), text);
      const lines = shownOf({ response, text: hidden }, shows);
      const missing = lines.filter((line) => /: (undefined)?$/.test(line));
      if (missing.length > 0) throw new TourFailure(`"${title}" returned a response without ${missing.join(", ")}`);
      tell({
        title,
        says,
        commands: [...command, ...Object.entries(remember).map(([name, { command }]) => `${name}=$(${command})`)],
        response: lines,
        received: (await after?.(data)) ?? [],
      });
      return data;
    },
    async refusal({ title, says, call, status, message }) {
      goOn();
      const refused = await call().then(
        () => null,
        (error: unknown) => error,
      );
      if (!(refused instanceof ApiError)) {
        throw new TourFailure(`"${title}" was not refused${refused === null ? "" : `: ${describe(refused, baseUrl)}`}`);
      }
      if (refused.status !== status || refused.message !== message) {
        throw new TourFailure(`"${title}" was refused with ${describe(refused, baseUrl)}, not ${status} ${message}`);
      }
      const exchange = played();
      tell({
        title,
        says,
        commands: commandOf(exchange, []),
        response: shownOf(exchange, []),
        received: [],
      });
    },
  };
}

/** The fault of a call, as text for the person at the terminal. */
export function describe(error: unknown, baseUrl: string): string {
  if (error instanceof ApiError) return `${error.status} ${JSON.stringify(error.body)}`;
  if (!(error instanceof Error)) return String(error);
  const { code } = (error.cause ?? {}) as { code?: string };
  if (error.message === "fetch failed") return `nothing responds at ${baseUrl}${code ? ` (${code})` : ""}`;
  return error instanceof SyntaxError ? `what responds at ${baseUrl} is not the service` : error.message;
}

/** Header names as people write them. */
const headerName = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** Ids show whole; credentials and secrets show how they begin. */
const hide = (value: string): string => (/^(est|opt|wh|key)_/.test(value) ? value : `${value.slice(0, 13)}…`);

/** The password of the tour's account is not shown. */
const hidePassword = (body: string): string =>
  body.replace(/"password":"[^"]+"/, '"password":"a password of your own"');
