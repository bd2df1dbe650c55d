import pg from "pg";
import { codeOf } from "../db/failures.ts";

/** Returns host, port and database of DATABASE_URL, without the password. */
interface Target {
  host: string;
  port: number;
  user: string;
  database: string;
}

/** Reads DATABASE_URL as the driver does. */
function targetOf(databaseUrl: string): Target {
  const { host, port, user = "", database = "" } = new pg.Client({ connectionString: databaseUrl });
  return { host, port, user, database };
}

type Explanation = (target: Target, message: string) => string;

const noResponse: Explanation = ({ host, port }) =>
  `${host}, port ${port}, does not respond: correct host and port, or open the way through firewalls`;
const nobodyThere: Explanation = ({ host, port }) =>
  host.startsWith("/")
    ? `there is no socket of PostgreSQL in ${host}, port ${port}: start it there, or correct folder and port`
    : `nothing listens on ${host}, port ${port}: start PostgreSQL there, or correct host and port`;
const noPostgres: Explanation = ({ host, port }) =>
  `what listens on ${host}, port ${port}, hangs up, and may not be PostgreSQL: correct host and port`;
const noContrib: Explanation = (_, message) =>
  `${message}: install PostgreSQL's additional modules there (the package postgresql-contrib)`;

/** What to say for each error code of the operating system and each SQLSTATE. */
const explanations: Record<string, Explanation> = {
  ENOTFOUND: ({ host }) => `there is no host ${host}: correct its name`,
  EAI_AGAIN: ({ host }) => `the name service does not respond for ${host}: correct the name, or try again later`,
  ECONNREFUSED: nobodyThere,
  ENOENT: nobodyThere,
  ETIMEDOUT: noResponse,
  EHOSTUNREACH: noResponse,
  ENETUNREACH: noResponse,
  ECONNRESET: noPostgres,
  "28P01": ({ user }) => `the password of the role ${user} is wrong: correct it`,
  "28000": (_, message) => `${message}: correct the role, or let it in by pg_hba.conf`,
  "3D000": ({ user, database }) =>
    `there is no database ${database}: correct its name, or make it with createdb --owner=${user} ${database}`,
  "42501": ({ user, database }, message) =>
    `the role ${user} may not set the database up (${message}): let it own the database and all in it (ALTER DATABASE ${database} OWNER TO ${user})`,
  "25006": ({ host }) => `the server ${host} can only be read, as a standby: name the primary`,
  "53100": ({ host }) => `the disk of the server ${host} is full: make room there`,
  "53300": ({ host }) => `the server ${host} has no connection left: end some, or raise its max_connections`,
  "57P03": (_, message) => `${message}: try again when it is ready`,
  "0A000": noContrib,
  "58P01": noContrib,
};

/**
 * Returns the line that says why the PostgreSQL server of DATABASE_URL cannot be used, and what to do; undefined for
 * errors of another kind.
 */
export function databaseFault(error: unknown, databaseUrl: string): string | undefined {
  const explanation = explain(error, targetOf(databaseUrl));
  return explanation === undefined ? undefined : `cannot use DATABASE_URL: ${explanation}`;
}

function explain(error: unknown, target: Target): string | undefined {
  // A name with several addresses fails with one error for each.
  if (error instanceof AggregateError) return explain(error.errors[0], target);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return undefined;
  const code = codeOf(error) ?? "";
  const known = explanations[code];
  if (known !== undefined) return known(target, cause.message);
  if (/CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code)) {
    return `the certificate of ${target.host} is not trusted (${code}): name its authority in NODE_EXTRA_CA_CERTS`;
  }
  if (/does not support SSL/i.test(cause.message))
    return `${target.host} has no TLS: set sslmode=disable in the address`;
  if (/timeout/i.test(cause.message)) return noResponse(target, cause.message);
  if (/terminated unexpectedly/i.test(cause.message)) return noPostgres(target, cause.message);
  return undefined;
}
