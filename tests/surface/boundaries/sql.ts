/** Statements: Drizzle's templates and builder, and queries sent as text. */
export const SQL =
  /\bsql[`<]|\.(execute|select|selectDistinct|selectDistinctOn|insert)\(|\b(db|tx)\s*\.(update|delete|with)\(|(?<!validation)\.query(<[^()]*>)?\(/;

/** What may hold SQL by its name, in whatever folder it is, and the folder of the database. */
export const SQL_NAMES = /(^|\/)(tables|store|[a-z-]+-store)\.ts$|^server\/db\//;

/** The others. A new file is not to be listed: it is called `…-store.ts`. */
export const SQL_FILES: readonly string[] = [
  "server/http/idempotency.ts",
  "server/http/probes.ts",
  // The queue: graphile-worker's own functions, and the locks by which workers know of each other.
  "server/jobs/add-job.ts",
  "server/jobs/patient-pool.ts",
  "server/jobs/presence.ts",
  "server/jobs/rescue.ts",
  "server/jobs/worker.ts",
  "server/features/auth/mailed-tokens.ts",
  "server/features/estimations/recompute-hours.ts",
  "server/features/webhooks/delivery-log.ts",
  "server/features/webhooks/enqueue.ts",
  "server/features/webhooks/former-secrets.ts",
  "server/features/webhooks/retention.ts",
];
