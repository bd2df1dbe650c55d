/** Statements: Drizzle's templates and builder, and queries sent as text. */
export const SQL =
  /\bsql[`<]|\.(execute|select|selectDistinct|selectDistinctOn|insert)\(|\b(db|tx|pool)\s*\.(update|delete|with)\(|(?<!validation)\.query(<[^()]*>)?\(/;

/** Files that may contain SQL because of their name, in any folder, and the folder of the database. */
export const SQL_NAMES = /(^|\/)(tables|store|[a-z-]+-store)\.ts$|^server\/db\//;

/** The others. Do not add new files here: call them `…-store.ts`. */
export const SQL_FILES: readonly string[] = [
  "server/http/idempotency.ts",
  "server/http/probes.ts",
  // The queue: graphile-worker's functions, and the locks by which workers find each other.
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
