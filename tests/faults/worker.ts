/**
 * The service's worker in a separate process, which can be told to kill itself at a step of a delivery. Argument:
 * `WorkerOrder` as JSON. It loads, waits for a message, starts, and reports that it is ready; another message stops it.
 */
import pg from "pg";
import { pino } from "pino";
import { startService } from "../../server/app.ts";
import { loadConfig } from "../../server/config.ts";

export interface WorkerOrder {
  readonly dataDir: string;
  readonly connection: pg.PoolConfig;
  readonly dieWhen?: Step;
  /** Environment beside that of every worker here. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Pause before an attempt that follows a failed one. */
export const RETRY_SECONDS = 2;
/** More often than anything here is refused. */
const SETTINGS = {
  WEBHOOK_DELIVERIES_PER_MINUTE: "1000000000",
  WEBHOOK_RETRY_DELAYS: String(RETRY_SECONDS),
  WEBHOOK_MAX_ATTEMPTS: "20",
};

/** Steps of a delivery, recognised by the statements before and after them. */
const STEPS = {
  /** Deliveries are being leased; the worker does not know yet whether they are. */
  claiming: [/^claim_due_deliveries/, "during"],
  /** Deliveries are leased, and none is sent. */
  taken: [/^claim_due_deliveries/, "after"],
  /** Responses have arrived, but their outcomes are not written yet. */
  responded: [/^record_delivery_outcomes/, "before"],
  /** Outcomes are being written; the worker does not know yet whether they are. */
  recording: [/^record_delivery_outcomes/, "during"],
  /** Outcomes are written, but the worker has no confirmation yet. */
  recorded: [/^record_delivery_outcomes/, "after"],
} as const satisfies Record<string, readonly [RegExp, "before" | "during" | "after"]>;

export type Step = keyof typeof STEPS;
export const steps = Object.keys(STEPS) as Step[];

type Callback = (...response: unknown[]) => void;

function dieAt(step: Step): void {
  const [statement, when] = STEPS[step];
  const die = () => process.kill(process.pid, "SIGKILL");
  const query = pg.Client.prototype.query as unknown as (this: pg.Client, ...given: unknown[]) => unknown;
  const watched = function (this: pg.Client, ...given: unknown[]): unknown {
    const [first] = given;
    const { name = "", text = "" } = (typeof first === "object" ? first : { text: first }) as Record<string, string>;
    if (!statement.test(name) && !statement.test(text)) return query.apply(this, given);
    if (when === "before") return die();
    if (when === "during") setImmediate(die);
    if (when === "during") return query.apply(this, given);
    // The pool uses callbacks; results that come as promises are stopped as well.
    return query.apply(
      this,
      given.map((one) => (typeof one === "function" ? ((() => die()) as Callback) : one)),
    );
  };
  Object.assign(pg.Client.prototype, { query: watched });
}

async function main(): Promise<void> {
  const { dataDir, connection, dieWhen, settings } = JSON.parse(process.argv[2] ?? "{}") as WorkerOrder;
  // It must not outlive the test that started it.
  process.on("disconnect", () => process.exit());
  if (dieWhen) dieAt(dieWhen);
  await new Promise((resolve) => process.once("message", resolve));
  const log = pino({ level: "silent" });
  const config = loadConfig({ DATA_DIR: dataDir, ...SETTINGS, ...settings });
  const service = await startService({ config, connection, log, only: "worker" });
  process.once("message", () => void service.stop().then(() => process.exit()));
  process.send?.("ready");
}

if (import.meta.main) await main();
