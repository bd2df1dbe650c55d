import { AsyncLocalStorage } from "node:async_hooks";
import { channel, tracingChannel } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import pg from "pg";

/** What requests may write although they are refused. */
const LEGITIMATE: readonly { readonly statement: RegExp; readonly refusal: RegExp; readonly why: string }[] = [
  {
    statement: /^\s*(insert into|with added as \(\s*select c.counter from) "try_counts"/,
    refusal: /^POST \/api\/auth\/(login|change-password|register|forgot-password|verify-email\/resend) /,
    why: "Failed passwords and requested mails are counted, whatever becomes of the request.",
  },
  {
    statement: /^insert into "audit_events"/,
    refusal: /^POST \/api\/auth\/(login|change-password) 401$/,
    why: "Failed sign-ins are in the audit log.",
  },
  {
    statement: /^\s*(insert into|delete from) "idempotency_keys"/,
    refusal: /./,
    why: "An endpoint that waits for a network takes the key before, and gives it back if the request is refused.",
  },
  {
    statement: /^\s*insert into "request_counts"/,
    refusal: /./,
    why: "Requests are counted for all processes in the background, whatever becomes of them.",
  },
];

/** A request that a service of these tests responds to, with the writing statements that it has committed. */
interface Exchange {
  readonly committed: string[];
}

interface Message {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const exchanges = new WeakMap<ServerResponse, Exchange>();
const current = new AsyncLocalStorage<Exchange | undefined>();
const found: string[] = [];

/** Returns what was found since the last call: a line for each write of a request that was refused. */
export const takeRefusedWrites = (): string[] => found.splice(0);

channel("http.server.request.start").subscribe((message) => {
  const exchange = { committed: [] };
  exchanges.set((message as Message).response, exchange);
  current.enterWith(exchange);
});

// A body arrives on behalf of its connection: from the handler on the work belongs to the request again.
tracingChannel<Exchange | undefined, { readonly reply: { readonly raw: ServerResponse } }>(
  "fastify.request.handler",
).start.bindStore(current, ({ reply }) => exchanges.get(reply.raw));

channel("http.server.response.finish").subscribe((message) => {
  const { request, response } = message as Message;
  if (response.statusCode < 400) return;
  const refusal = `${request.method} ${request.url?.split("?", 1)[0]} ${response.statusCode}`;
  for (const statement of exchanges.get(response)?.committed ?? []) {
    if (LEGITIMATE.some((one) => one.statement.test(statement) && one.refusal.test(refusal))) continue;
    found.push(`${request.method} ${request.url} was refused (${response.statusCode}) and wrote: ${statement}`);
  }
});

/** Matches statements that write rows or add jobs; `for update` and `on conflict do update` do not count by themselves. */
const WRITE = /\b(insert into|delete from|merge into|truncate|(?<!\b(for|key|do) )update|graphile_worker\.add_job)\b/i;

const SAVEPOINT = "savepoint ";

/** A connection of the service which notes what each request commits. */
export class ObservedClient extends pg.Client {
  /** The writing statements of the open transaction, and its savepoints. */
  #open: string[] | undefined;

  // The declared types have a signature for each way to call it; here it has all of them.
  override query(...given: unknown[]): never {
    const exchange = current.getStore();
    const [statement] = given as [string | { readonly text?: string }];
    const text = typeof statement === "string" ? statement : (statement.text ?? "");
    const send = super.query as unknown as (...given: unknown[]) => Promise<pg.QueryResult>;
    // A stream of rows, as COPY has: it is no promise.
    if (typeof statement !== "string" && "submit" in statement) return send.apply(this, given) as never;
    const callback = given.at(-1);
    if (typeof callback !== "function")
      return send.apply(this, given).then((result) => {
        this.#note(text, result, exchange);
        return result;
      }) as never;
    return send.call(this, ...given.slice(0, -1), (error: unknown, result: pg.QueryResult) => {
      if (!error) this.#note(text, result, exchange);
      callback(error, result);
    }) as never;
  }

  #note(text: string, { command, rowCount }: pg.QueryResult, exchange: Exchange | undefined): void {
    const name = /savepoint (\w+)/i.exec(text)?.[1];
    if (command === "BEGIN") this.#open = [];
    else if (command === "SAVEPOINT") this.#open?.push(SAVEPOINT + name);
    else if (command === "ROLLBACK" && name) this.#open?.splice(this.#open.lastIndexOf(SAVEPOINT + name) + 1);
    else if (command === "COMMIT" || command === "ROLLBACK") {
      const written = this.#open?.filter((one) => !one.startsWith(SAVEPOINT)) ?? [];
      if (command === "COMMIT") exchange?.committed.push(...written);
      this.#open = undefined;
    } else if (WRITE.test(text) && (rowCount !== 0 || command === "SELECT"))
      (this.#open ?? exchange?.committed)?.push(text);
  }
}
