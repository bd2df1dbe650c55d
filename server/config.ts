import { isIP } from "node:net";
import { join, resolve } from "node:path";
import type { Quota } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import {
  address,
  bytes,
  httpsAddress,
  integer,
  issuerAddress,
  list,
  mailDomain,
  mailServerAddress,
  network,
  number,
  oneOf,
  postgresAddress,
  sender,
  text,
  token,
  Unusable,
} from "./platform/settings.ts";
import { similarName } from "./platform/typing-errors.ts";

/** Every setting, checked. Names end in their units. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Address of the service, without a slash at the end. */
  readonly baseUrl: string;
  /** Address of the web application, without a slash at the end. */
  readonly webUrl: string;
  /** Absolute path of the folder with the embedded database, generated secrets and local mail. */
  readonly dataDir: string;
  /** The user's own folder for sockets, as desktops and systemd provide it. */
  readonly runtimeFolder: string | undefined;
  /** A PostgreSQL server; null: the embedded one in `dataDir`. */
  readonly databaseUrl: string | null;
  /** null: generated into `dataDir`. */
  readonly sessionSecret: Uint8Array | null;
  /** The one that it replaces, or that replaces it; null: a file in `dataDir`, if there is one. */
  readonly sessionSecretFormer: Uint8Array | null;
  /** null: generated into `dataDir`. */
  readonly encryptionKey: Uint8Array | null;
  /** As `sessionSecretFormer`. */
  readonly encryptionKeyFormer: Uint8Array | null;
  /** A mail server; null: mails are written into `dataDir`. */
  readonly smtpUrl: string | null;
  /** Sender of the mails, as in a `From` header. */
  readonly mailFrom: string;
  readonly registration: "open" | "closed";
  /** Domains whose addresses may register, as DNS writes them; null: any. */
  readonly registrationDomains: readonly string[] | null;
  /** Whom a user can find by a part of the name: everybody, or only users who share an estimation with the user. */
  readonly userDirectory: "open" | "shared";
  /** How users sign in with Google, or with another OpenID provider; null: they do not. */
  readonly google: GoogleConfig | null;
  /** Networks exempt from the address check of outgoing requests, in CIDR notation. */
  readonly webhookAllowedNetworks: readonly string[];
  /** Ports of public addresses that webhooks may go to; on `webhookAllowedNetworks` any is allowed. */
  readonly webhookAllowedPorts: readonly number[];
  /** Pause after the first failed attempt, after the second, …; the last one is used for all further attempts. */
  readonly webhookRetryDelaysSeconds: readonly number[];
  readonly webhookMaxAttempts: number;
  readonly webhookTimeoutSeconds: number;
  /** Attempts of all deliveries of one owner that all processes together begin within a minute; the rest wait. */
  readonly webhookDeliveriesPerMinute: number;
  /** How long deliveries, their attempts and their events are retained. */
  readonly webhookRetentionDays: number;
  /** How long a deleted estimation is retained, with its tree and its tasks. */
  readonly deletedEstimationRetentionDays: number;
  readonly auditLogRetentionDays: number;
  /** Hours between two automatic backups; null: there are none. */
  readonly backupEveryHours: number | null;
  /** How many of them are kept. */
  readonly backupKeep: number;
  /** Absolute path of the folder that they are in. */
  readonly backupDir: string;
  /** A request that takes longer is given up (503). */
  readonly requestTimeoutSeconds: number;
  /** Quotas per user: those that can be set, and limits. */
  readonly quotas: Readonly<Record<Quota, number>>;
  /** Mails with invitations that one user may cause within any hour. */
  readonly invitationsPerHour: number;
  readonly rateLimitPerMinute: number;
  readonly rateLimitAuthPerMinute: number;
  /** Proxies whose `X-Forwarded-For` counts, in CIDR notation. */
  readonly trustProxy: readonly string[];
  /** Address of GitHub's API for connections without one, without a slash at the end. */
  readonly githubApiUrl: string;
  /** Writes to GitHub by one connection; eight times as many in any hour. */
  readonly githubWritesPerMinute: number;
  /** Writes to Jira by one connection. */
  readonly jiraWritesPerMinute: number;
  /** How long a tracker may take to show what it was sent, before it counts as absent. */
  readonly exportSettleSeconds: number;
  /** A language model that is asked for a second opinion on suggested hours; null: none, and nothing leaves the service. */
  readonly languageModel: LanguageModelConfig | null;
  readonly logLevel: string;
  /** Port for metrics alone; null: none. */
  readonly metricsPort: number | null;
  /** What whoever reads the metrics has to know; null: nothing on their own port, and on the service's there are none. */
  readonly metricsToken: string | null;
}

export interface LanguageModelConfig {
  readonly protocol: (typeof PROTOCOLS)[number];
  /** Address of its API, without a slash at the end. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | null;
  /** For one response, connecting included. */
  readonly timeoutSeconds: number;
}

export interface GoogleConfig {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Address of the OpenID provider: HTTPS, or plain HTTP on a loopback address. */
  readonly issuer: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK = ["127.0.0.0/8", "::1/128"];
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
const PROTOCOLS = ["openai", "anthropic"] as const;
const ANY_COUNT = 1_000_000_000;
/** Seconds of a request that are reserved for its other work, besides waiting for the language model. */
const BESIDE_MODEL_SECONDS = 5;

/** Settings that cannot be used, one line for each. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}

/** Returns whether `host` can be reached from this machine only. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

/** Returns whether the host name of an address means the machine itself: a loopback address, or `localhost`. */
export const isLoopbackName = (hostname: string): boolean => {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return isLoopback(bare) || bare.endsWith(".localhost");
};

const leadsToLoopback = (address: string): boolean => isLoopbackName(URL.parse(address)?.hostname ?? "");

/**
 * Returns whether the instance is local: it has no mail server and can be reached from this machine only. A loopback
 * `host` alone does not mean that, because a public proxy may be in front of it: then `BASE_URL` is public, or the proxy
 * is trusted.
 */
export const isLocal = ({
  smtpUrl,
  host,
  baseUrl,
  trustProxy,
}: Pick<Config, "smtpUrl" | "host" | "baseUrl" | "trustProxy">): boolean =>
  smtpUrl === null && isLoopback(host) && leadsToLoopback(baseUrl) && trustProxy.length === 0;

/** Returns whether somebody may read the metrics: otherwise requests are not counted. */
export const isMeasured = ({ metricsPort, metricsToken }: Pick<Config, "metricsPort" | "metricsToken">): boolean =>
  metricsPort !== null || metricsToken !== null;

/** Returns a sender in the domain of the web application. The mailbox need not exist: no responses are expected. */
function defaultSender(webUrl: string): string {
  // A HOST that is not an address is refused later, when the service listens on it.
  const hostname = URL.parse(webUrl)?.hostname ?? "localhost";
  const bare = hostname.replace(/^\[|\]$/g, "");
  const domain =
    isIP(bare) === 0 ? bare : isLoopback(bare) ? "localhost" : `[${isIP(bare) === 6 ? "IPv6:" : ""}${bare}]`;
  return `Estimation Service <no-reply@${domain}>`;
}

/** Returns the names of all settings that `loadConfig` reads. */
function settingNames(): string[] {
  const names = new Set<string>();
  loadConfig(new Proxy({}, { get: (_, name) => void names.add(String(name)) }));
  return [...names];
}

/** Returns a line for each variable that is not a setting, but is probably a misspelled one. */
export function likelyMisspelled(env: Environment = process.env): string[] {
  const known = settingNames();
  return Object.keys(env).flatMap((name) => {
    const meant = known.includes(name) ? undefined : similarName(name, known);
    return meant === undefined ? [] : [`${name} is not a setting and is ignored: did you mean ${meant}?`];
  });
}

/** Reads every setting. An empty value counts as absent. Throws `ConfigError` with a line for each faulty one. */
export function loadConfig(env: Environment = process.env): Config {
  const faults: string[] = [];
  const read = <T>(name: string, fallback: T, parse: (value: string) => T): T => {
    const value = env[name]?.trim();
    if (!value) return fallback;
    try {
      return parse(value);
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      faults.push(`${name} ${error.message}`);
      return fallback;
    }
  };

  const host = read("HOST", "127.0.0.1", text);
  const port = read("PORT", 3000, integer(0, 65_535));
  const baseUrl = read("BASE_URL", `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`, address);
  const webUrl = read("WEB_URL", baseUrl, address);
  // The only setting for which empty differs from absent: empty removes the exemption that loopback instances have.
  const exempt = env.WEBHOOK_ALLOWED_NETWORKS === undefined && isLoopback(host) ? LOOPBACK : [];
  const clientId = read("GOOGLE_CLIENT_ID", "", text);
  const clientSecret = read("GOOGLE_CLIENT_SECRET", "", text);
  const issuer = read("GOOGLE_ISSUER", "https://accounts.google.com", issuerAddress);
  const smtpUrl = read<string | null>("SMTP_URL", null, mailServerAddress);
  const registration = read("REGISTRATION", "open", oneOf<"open" | "closed">(["open", "closed"]));
  const trustProxy = read("TRUST_PROXY", [], list(network));
  const languageModel: LanguageModelConfig = {
    url: read("SUGGESTION_URL", "", address),
    protocol: read<LanguageModelConfig["protocol"]>("SUGGESTION_PROTOCOL", "openai", oneOf(PROTOCOLS)),
    model: read("SUGGESTION_MODEL", "", text),
    apiKey: read<string | null>("SUGGESTION_API_KEY", null, text),
    timeoutSeconds: read("SUGGESTION_TIMEOUT", 20, number(0.05, 60)),
  };
  const dataDir = resolve(read("DATA_DIR", "./data", text));
  const isSmall = registration === "closed" || isLocal({ smtpUrl, host, baseUrl, trustProxy });
  const treeBytes = 1024 * 1024 * read("MEBIBYTES_PER_USER", 1024, integer(1, ANY_COUNT));
  const config: Config = {
    host,
    port,
    baseUrl,
    webUrl,
    dataDir,
    runtimeFolder: env.XDG_RUNTIME_DIR?.trim() || undefined,
    databaseUrl: read<string | null>("DATABASE_URL", null, postgresAddress),
    sessionSecret: read<Uint8Array | null>("SESSION_SECRET", null, bytes(32, 4096)),
    sessionSecretFormer: read<Uint8Array | null>("SESSION_SECRET_FORMER", null, bytes(32, 4096)),
    encryptionKey: read<Uint8Array | null>("ENCRYPTION_KEY", null, bytes(32, 32)),
    encryptionKeyFormer: read<Uint8Array | null>("ENCRYPTION_KEY_FORMER", null, bytes(32, 32)),
    smtpUrl,
    mailFrom: read("MAIL_FROM", defaultSender(webUrl), sender),
    registration,
    registrationDomains: read<string[] | null>("REGISTRATION_DOMAINS", null, list(mailDomain)),
    userDirectory: read("USER_DIRECTORY", isSmall ? "open" : "shared", oneOf<"open" | "shared">(["open", "shared"])),
    google: clientId && clientSecret ? { clientId, clientSecret, issuer } : null,
    webhookAllowedNetworks: read("WEBHOOK_ALLOWED_NETWORKS", exempt, list(network)),
    webhookAllowedPorts: read("WEBHOOK_ALLOWED_PORTS", [443, 8443], list(integer(1, 65_535))),
    webhookRetryDelaysSeconds: read("WEBHOOK_RETRY_DELAYS", [60, 300, 1800], list(number(0, 604_800))),
    webhookMaxAttempts: read("WEBHOOK_MAX_ATTEMPTS", 3, integer(1, 20)),
    webhookTimeoutSeconds: read("WEBHOOK_TIMEOUT", 10, number(0.05, 60)),
    webhookDeliveriesPerMinute: read("WEBHOOK_DELIVERIES_PER_MINUTE", 1_200, integer(1, ANY_COUNT)),
    webhookRetentionDays: read("WEBHOOK_RETENTION_DAYS", 30, integer(1, 3_650)),
    requestTimeoutSeconds: read("REQUEST_TIMEOUT", 30, number(0.05, 600)),
    deletedEstimationRetentionDays: read("DELETED_ESTIMATION_RETENTION_DAYS", 30, integer(1, 3_650)),
    auditLogRetentionDays: read("AUDIT_LOG_RETENTION_DAYS", limits.auditLogDays, integer(1, 3_650)),
    backupEveryHours: read<number | null>("BACKUP_EVERY_HOURS", null, integer(1, 8_760)),
    backupKeep: read("BACKUP_KEEP", 7, integer(1, 10_000)),
    backupDir: resolve(read("BACKUP_DIR", join(dataDir, "backups"), text)),
    quotas: {
      estimations: read("ESTIMATIONS_PER_USER", 10_000, integer(1, ANY_COUNT)),
      treeBytes,
      versionBytes: 4 * treeBytes,
      textBytes: 4 * treeBytes,
      templates: limits.templates,
      templateBytes: limits.templateBytes,
      instanceTemplates: limits.instanceTemplates,
      apiKeys: limits.apiKeys,
      webhooks: limits.webhooks,
      connections: limits.connections,
      exports: limits.exports,
      teams: limits.teams,
    },
    invitationsPerHour: read("INVITATIONS_PER_HOUR", 50, integer(1, 1_000)),
    rateLimitPerMinute: read("RATE_LIMIT_PER_MINUTE", 1200, integer(1, ANY_COUNT)),
    rateLimitAuthPerMinute: read("RATE_LIMIT_AUTH_PER_MINUTE", 20, integer(1, ANY_COUNT)),
    githubApiUrl: read("GITHUB_API_URL", "https://api.github.com", httpsAddress),
    githubWritesPerMinute: read("GITHUB_WRITES_PER_MINUTE", 60, integer(1, 6_000)),
    jiraWritesPerMinute: read("JIRA_WRITES_PER_MINUTE", 60, integer(1, 6_000)),
    exportSettleSeconds: read("EXPORT_SETTLE_SECONDS", 120, number(0.05, 3_600)),
    trustProxy,
    languageModel: languageModel.url ? languageModel : null,
    logLevel: read<string>("LOG_LEVEL", "info", oneOf(LOG_LEVELS)),
    metricsPort: read<number | null>("METRICS_PORT", null, integer(1, 65_535)),
    metricsToken: read<string | null>("METRICS_TOKEN", null, token),
  };
  if (env.DATABASE_URL?.trim()) {
    for (const name of ["SESSION_SECRET", "ENCRYPTION_KEY"]) {
      if (!env[name]?.trim()) faults.push(`${name} must be set where DATABASE_URL is, so that all processes share it`);
    }
  }
  if (config.metricsPort === port) faults.push("METRICS_PORT must differ from PORT");
  if (clientId && !clientSecret) faults.push("GOOGLE_CLIENT_SECRET must be set where GOOGLE_CLIENT_ID is");
  if (clientSecret && !clientId) faults.push("GOOGLE_CLIENT_ID must be set where GOOGLE_CLIENT_SECRET is");
  if (config.languageModel) {
    const { protocol, model, apiKey, timeoutSeconds } = config.languageModel;
    if (!model) faults.push("SUGGESTION_MODEL must be set where SUGGESTION_URL is");
    if (!apiKey && protocol === "anthropic") {
      faults.push("SUGGESTION_API_KEY must be set where SUGGESTION_PROTOCOL is anthropic");
    }
    if (timeoutSeconds + BESIDE_MODEL_SECONDS > config.requestTimeoutSeconds) {
      faults.push(`SUGGESTION_TIMEOUT must be at least ${BESIDE_MODEL_SECONDS} seconds less than REQUEST_TIMEOUT`);
    }
  }
  if (!languageModel.url && languageModel.model) faults.push("SUGGESTION_URL must be set where SUGGESTION_MODEL is");
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}
