import { type Import, imports } from "./files.ts";

/** Statements: Drizzle's templates and builder, and queries sent as text. */
export const SQL =
  /\bsql[`<]|\.(execute|select|selectDistinct|selectDistinctOn|insert|\$count|refreshMaterializedView)\(|\.query\.\w+\.find(Many|First)\(|\b(db|tx|pool)\s*\.(update|delete|with)\(|(?<!validation)\.query(<[^()]*>)?\(/;

/** Files that may contain SQL because of their name, in any folder, and the folder of the database. */
export const SQL_NAMES = /(^|\/)(tables|store|[a-z-]+-store)\.ts$|^server\/db\//;

/**
 * Returns whether an import brings what a statement needs: Drizzle, or a table, also through the `index.ts` of its feature.
 * Types are not used at run time.
 */
export function bringsTables({ to, typeOnly, names }: Import): boolean {
  if (typeOnly) return false;
  return (
    /^drizzle-orm(\/|$)|\/tables\.ts$/.test(to) ||
    (/\/index\.ts$/.test(to) && names.some((name) => offered(to).includes(name)))
  );
}

/** The tables that the `index.ts` of a feature offers to others, by the names that it gives them. */
const offered = (index: string): string[] =>
  imports
    .filter(({ from, to }) => from === index && to.endsWith("/tables.ts"))
    .flatMap(({ names }) => names.filter((_, at) => names[at + 1] !== "as"));

/** What imports them for something else. */
export const BRINGERS: Readonly<Record<string, string>> = {
  "server/features/auth/create-account.ts": "an error of Drizzle's",
};

/** The others. Do not add new files here: call them `…-store.ts`. */
export const SQL_FILES: readonly string[] = [
  "server/http/idempotency.ts",
  "server/http/probes.ts",
  "server/features/auth/mailed-tokens.ts",
  "server/features/webhooks/delivery-log.ts",
  "server/features/webhooks/enqueue.ts",
  "server/features/webhooks/former-secrets.ts",
  "server/features/webhooks/retention.ts",
];
