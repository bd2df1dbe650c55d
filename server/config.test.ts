import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { ConfigError, type Environment, likelyMisspelled, loadConfig } from "./config.ts";

const faultsOf = (env: Environment): readonly string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.faults : [String(error)];
  }
};
const secret = randomBytes(32).toString("base64url");

test("everything has a default, and an empty value counts as absent", () => {
  const config = loadConfig({});
  expect(config).toMatchObject({
    host: "127.0.0.1",
    port: 3000,
    baseUrl: "http://127.0.0.1:3000",
    webUrl: "http://127.0.0.1:3000",
    dataDir: resolve("data"),
    databaseUrl: null,
    sessionSecret: null,
    sessionSecretFormer: null,
    encryptionKey: null,
    encryptionKeyFormer: null,
    registration: "open",
    registrationDomains: null,
    userDirectory: "open",
    webhookAllowedNetworks: ["127.0.0.0/8", "::1/128"],
    webhookAllowedPorts: [443, 8443],
    webhookRetryDelaysSeconds: [60, 300, 1800],
    webhookMaxAttempts: 3,
    webhookTimeoutSeconds: 10,
    webhookDeliveriesPerMinute: 1_200,
    webhookRetentionDays: 30,
    deletedEstimationRetentionDays: 30,
    auditLogRetentionDays: 180,
    rateLimitPerMinute: 1200,
    rateLimitAuthPerMinute: 20,
    trustProxy: [],
    logLevel: "info",
  });
  expect(loadConfig({ PORT: "", HOST: " ", REGISTRATION: "" })).toEqual(config);
});

test("addresses follow from host and port, and lose the slash at their end", () => {
  expect(loadConfig({ HOST: "::1", PORT: "8080" }).baseUrl).toBe("http://[::1]:8080");
  const config = loadConfig({ BASE_URL: "https://estimates.example.com/", WEB_URL: "https://app.example.com/x/" });
  expect([config.baseUrl, config.webUrl]).toEqual(["https://estimates.example.com", "https://app.example.com/x"]);
  expect(loadConfig({ BASE_URL: "https://e.example.com" }).webUrl).toBe("https://e.example.com");
});

test("loopback networks are exempt from the address check only if the service is local and no setting says otherwise", () => {
  expect(loadConfig({ HOST: "0.0.0.0" }).webhookAllowedNetworks).toEqual([]);
  expect(loadConfig({ HOST: "localhost" }).webhookAllowedNetworks).toEqual(["127.0.0.0/8", "::1/128"]);
  expect(loadConfig({ WEBHOOK_ALLOWED_NETWORKS: "" }).webhookAllowedNetworks).toEqual([]);
  expect(loadConfig({ WEBHOOK_ALLOWED_NETWORKS: "10.0.0.0/8, fd00::/8,192.0.2.7" }).webhookAllowedNetworks).toEqual([
    "10.0.0.0/8",
    "fd00::/8",
    "192.0.2.7/32",
  ]);
});

test("all users can be found if the service is local or registration is closed, unless it is set otherwise", () => {
  const directoryOf = (env: Environment) => loadConfig(env).userDirectory;
  const mail = { SMTP_URL: "smtp://mail.example" };
  expect(directoryOf({})).toBe("open");
  expect(directoryOf({ USER_DIRECTORY: "shared" })).toBe("shared");
  for (const env of [mail, { HOST: "0.0.0.0" }, { BASE_URL: "https://e.example" }, { TRUST_PROXY: "10.0.0.1" }]) {
    expect(directoryOf(env)).toBe("shared");
    expect(directoryOf({ ...env, REGISTRATION: "closed" })).toBe("open");
    expect(directoryOf({ ...env, USER_DIRECTORY: "open" })).toBe("open");
  }
});

test("domains that may register are read as DNS writes them", () => {
  expect(loadConfig({ REGISTRATION_DOMAINS: "Example.COM, bücher.example,ｅxample。org" }).registrationDomains).toEqual(
    ["example.com", "xn--bcher-kva.example", "example.org"],
  );
});

test("a database server requires secrets that all processes share", () => {
  const url = "postgresql://app@db.example.com/estimation";
  expect(faultsOf({ DATABASE_URL: url })).toHaveLength(2);
  expect(faultsOf({ DATABASE_URL: url, SESSION_SECRET: secret, ENCRYPTION_KEY: secret })).toEqual([]);
});

test("signing in with Google needs an id with its secret, and an issuer whose responses cannot be changed in transit", () => {
  const client = { GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" };
  expect(loadConfig({}).google).toBeNull();
  expect(loadConfig({ GOOGLE_ISSUER: "https://id.example" }).google).toBeNull();
  expect(loadConfig(client).google).toEqual({
    clientId: "id",
    clientSecret: "secret",
    issuer: "https://accounts.google.com",
  });
  expect(faultsOf({ GOOGLE_CLIENT_ID: "id" })).toEqual(["GOOGLE_CLIENT_SECRET must be set where GOOGLE_CLIENT_ID is"]);
  expect(faultsOf({ GOOGLE_CLIENT_SECRET: "s" })).toEqual([
    "GOOGLE_CLIENT_ID must be set where GOOGLE_CLIENT_SECRET is",
  ]);
  for (const issuer of [
    "https://id.example",
    "https://id.example/realms/x",
    "https://id.example/",
    "http://127.0.0.1:8080",
    "http://localhost",
    "http://[::1]:1",
  ]) {
    expect(loadConfig({ ...client, GOOGLE_ISSUER: issuer }).google?.issuer).toBe(issuer);
  }
  for (const issuer of [
    "http://id.example",
    "http://127.evil.example",
    "http://localhost.evil.example",
    "http://10.0.0.1",
    "ftp://127.0.0.1",
    "id.example",
    "https://user:pass@id.example",
    "https://id.example?x",
    "https://id.example#x",
  ]) {
    expect(faultsOf({ ...client, GOOGLE_ISSUER: issuer }), issuer).toEqual([
      expect.stringMatching(/^GOOGLE_ISSUER must be an https address/),
    ]);
  }
});

test("a language model is used if its address is set; it needs a name, and a key if its protocol requires one", () => {
  const local = { SUGGESTION_URL: "http://h:1/v1/", SUGGESTION_MODEL: "m" };
  expect(loadConfig({}).languageModel).toBeNull();
  expect(loadConfig({ SUGGESTION_PROTOCOL: "anthropic", SUGGESTION_API_KEY: "k" }).languageModel).toBeNull();
  expect(faultsOf({ SUGGESTION_MODEL: "m" })).toEqual(["SUGGESTION_URL must be set where SUGGESTION_MODEL is"]);
  expect(loadConfig(local).languageModel).toEqual({
    ...{ url: "http://h:1/v1", protocol: "openai", model: "m", apiKey: null, timeoutSeconds: 20 },
  });
  const anthropic = { ...local, SUGGESTION_PROTOCOL: "anthropic", SUGGESTION_API_KEY: "k" };
  expect(loadConfig(anthropic).languageModel).toMatchObject({ protocol: "anthropic", apiKey: "k" });
  expect(faultsOf({ SUGGESTION_URL: "http://h" })).toEqual(["SUGGESTION_MODEL must be set where SUGGESTION_URL is"]);
  expect(faultsOf({ ...anthropic, SUGGESTION_API_KEY: "" })).toEqual([
    "SUGGESTION_API_KEY must be set where SUGGESTION_PROTOCOL is anthropic",
  ]);
  expect(faultsOf({ ...local, REQUEST_TIMEOUT: "25" })).toEqual([]);
  expect(faultsOf({ ...local, REQUEST_TIMEOUT: "24" })).toEqual([
    "SUGGESTION_TIMEOUT must be at least 5 seconds less than REQUEST_TIMEOUT",
  ]);
});

test.each([
  ["PORT", "65535", "65536"],
  ["PORT", "0", "-1"],
  ["PORT", "80", "http"],
  ["BASE_URL", "http://x.example", "x.example"],
  ["BASE_URL", "https://x.example", "https://user:pass@x.example"],
  ["WEB_URL", "https://x.example", "ftp://x.example"],
  ["DATABASE_URL", "", "mysql://x"],
  ["DATABASE_URL", "postgresql://user:pass word@db:5433/x?sslmode=require", "postgresql://[db/x"],
  ["DATABASE_URL", "postgresql://user@/x?host=%2Frun%2Fpostgresql", "postgresql:db"],
  ["SESSION_SECRET", secret, randomBytes(31).toString("base64url")],
  ["SESSION_SECRET", randomBytes(64).toString("base64url"), "not base64url!"],
  ["SESSION_SECRET_FORMER", secret, randomBytes(31).toString("base64url")],
  ["ENCRYPTION_KEY_FORMER", secret, randomBytes(31).toString("base64url")],
  ["ENCRYPTION_KEY", secret, randomBytes(33).toString("base64url")],
  ["REGISTRATION", "closed", "shut"],
  ["REGISTRATION_DOMAINS", "example.com", "ada@example.com"],
  ["REGISTRATION_DOMAINS", "localhost", "*.example.com"],
  ["REGISTRATION_DOMAINS", "a.example,b.example", "a.example,.example"],
  ["USER_DIRECTORY", "shared", "closed"],
  ["WEBHOOK_ALLOWED_NETWORKS", "10.0.0.0/8", "10.0.0.0/33"],
  ["WEBHOOK_RETRY_DELAYS", "1,2.5", "1,,2"],
  ["WEBHOOK_MAX_ATTEMPTS", "20", "0"],
  ["WEBHOOK_TIMEOUT", "0.05", "0.04"],
  ["WEBHOOK_TIMEOUT", "60", "61"],
  ["WEBHOOK_RETENTION_DAYS", "1", "0"],
  ["DELETED_ESTIMATION_RETENTION_DAYS", "1", "0"],
  ["DELETED_ESTIMATION_RETENTION_DAYS", "3650", "3651"],
  ["AUDIT_LOG_RETENTION_DAYS", "1", "0"],
  ["AUDIT_LOG_RETENTION_DAYS", "3650", "3651"],
  ["WEBHOOK_RETENTION_DAYS", "3650", "7.5"],
  ["RATE_LIMIT_PER_MINUTE", "1", "0"],
  ["RATE_LIMIT_AUTH_PER_MINUTE", "1", "1.5"],
  ["INVITATIONS_PER_HOUR", "1", "0"],
  ["INVITATIONS_PER_HOUR", "1000", "1001"],
  ["REQUEST_TIMEOUT", "0.05", "0"],
  ["REQUEST_TIMEOUT", "600", "601"],
  ["ESTIMATIONS_PER_USER", "1", "0"],
  ["MEBIBYTES_PER_USER", "1", "0"],
  ["GITHUB_API_URL", "https://github.example.com/api/v3", "http://github.example.com/api/v3"],
  ["GITHUB_API_URL", "https://api.github.com/", "https://me:secret@github.example.com"],
  ["GITHUB_WRITES_PER_MINUTE", "1", "0"],
  ["GITHUB_WRITES_PER_MINUTE", "6000", "6001"],
  ["JIRA_WRITES_PER_MINUTE", "1", "0"],
  ["JIRA_WRITES_PER_MINUTE", "6000", "6001"],
  ["EXPORT_SETTLE_SECONDS", "120", "0"],
  ["EXPORT_SETTLE_SECONDS", "3600", "3601"],
  ["TRUST_PROXY", "10.0.0.0/8", "the-proxy"],
  ["LOG_LEVEL", "debug", "loud"],
  ["METRICS_PORT", "1", "0"],
  ["METRICS_PORT", "65535", "65536"],
  ["METRICS_PORT", "3001", "3000"],
  ["METRICS_TOKEN", "x".repeat(16), "x".repeat(15)],
  ["METRICS_TOKEN", "x".repeat(256), "x".repeat(257)],
  ["METRICS_TOKEN", "!~0123456789abcd", "a token with spaces"],
])("%s accepts %j and refuses %j with one line", (name, fits, wrong) => {
  expect(faultsOf({ SESSION_SECRET: secret, ENCRYPTION_KEY: secret, [name]: fits })).toEqual([]);
  const faults = faultsOf({ [name]: wrong, SESSION_SECRET: secret, ENCRYPTION_KEY: secret, [name as string]: wrong });
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(new RegExp(`^${name} must `));
});

test.each([
  [{ WEBHOOK_RETRY_DELAYS: "60;300" }, "WEBHOOK_RETRY_DELAYS must have commas between its items, and nothing else"],
  [
    { WEBHOOK_RETRY_DELAYS: "60,soon" },
    "WEBHOOK_RETRY_DELAYS must be a list with commas between its items; item 2 must be a number from 0 to 604800",
  ],
  [
    { TRUST_PROXY: "10.0.0.0", WEBHOOK_ALLOWED_NETWORKS: "10.0.0.0/33" },
    "WEBHOOK_ALLOWED_NETWORKS must be a list with commas between its items; item 1 must be a network in CIDR notation",
  ],
  [
    { DATABASE_URL: "postgresql://user@db:port/x", SESSION_SECRET: secret, ENCRYPTION_KEY: secret },
    "DATABASE_URL must be an address such as postgresql://user:password@host:5432/database",
  ],
])("%j is reported with what is wrong with it", (env, line) => {
  expect(faultsOf(env)).toEqual([line]);
});

test("a variable that is probably a misspelled setting is reported, others are not", () => {
  expect(
    likelyMisspelled({
      WEBHOOK_MAX_ATTEMPT: "4",
      rate_limit_per_minute: "1",
      HOSTNAME: "x",
      HOST: "::1",
      PATH: "/bin",
      GOOGLE_APPLICATION_CREDENTIALS: "x",
      XDG_RUNTIME_DIR: "/run",
    }),
  ).toEqual([
    "WEBHOOK_MAX_ATTEMPT is not a setting and is ignored: did you mean WEBHOOK_MAX_ATTEMPTS?",
    "rate_limit_per_minute is not a setting and is ignored: did you mean RATE_LIMIT_PER_MINUTE?",
  ]);
});

test("all faults are reported at once, and no value is repeated, because it may be a secret", () => {
  const faults = faultsOf({ PORT: "x", REGISTRATION: "y", SESSION_SECRET: "hunter2" });
  expect(faults).toHaveLength(3);
  expect(faults.join()).not.toContain("hunter2");
});
