import { generatedPage, table } from "./markdown.ts";

/** A setting in Markdown: its name, its default, and what it does. A test compares names and defaults with `server/config.ts`. */
type Setting = readonly [name: string, given: string, meaning: string];

const groups: Readonly<Record<string, readonly Setting[]>> = {
  "Address and data": [
    ["HOST", "`127.0.0.1`", "Address to listen on."],
    ["PORT", "`3000`", "Port to listen on; `0` chooses a free one."],
    ["BASE_URL", "`http://HOST:PORT`", "Address of the service as its callers see it."],
    ["WEB_URL", "`BASE_URL`", "Address that links in mails and in payloads begin with."],
    ["TRUST_PROXY", "–", "Networks of proxies whose `X-Forwarded-For` names the caller."],
    ["DATA_DIR", "`./data`", "Folder of the database, the generated secrets and local mail."],
    [
      "DATABASE_URL",
      "–",
      "A PostgreSQL server, as `postgresql://user:password@host/database`. Without it the service runs its own.",
    ],
    [
      "SESSION_SECRET",
      "generated",
      "Signs session tokens: at least 32 bytes in base64url. Required with `DATABASE_URL`.",
    ],
    [
      "ENCRYPTION_KEY",
      "generated",
      "Encrypts stored secrets: exactly 32 bytes in base64url. Required with `DATABASE_URL`.",
    ],
    [
      "SESSION_SECRET_FORMER",
      "–",
      "While [`SESSION_SECRET` is changed](keys-and-people.md#changing-the-secrets): the one before, which stays valid.",
    ],
    [
      "ENCRYPTION_KEY_FORMER",
      "–",
      "While [`ENCRYPTION_KEY` is changed](keys-and-people.md#changing-the-secrets): the one before, which stays valid.",
    ],
    ["LOG_LEVEL", "`info`", "`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`."],
    [
      "METRICS_PORT",
      "–",
      "Port on `HOST` for [metrics](operations.md#monitoring) alone, of this process; without it they are on the service's port if there is a token, and else nowhere.",
    ],
    [
      "METRICS_TOKEN",
      "–",
      "Bearer token of 16 to 256 characters that whoever reads the metrics has to send, on either port.",
    ],
  ],
  "Mail and accounts": [
    [
      "SMTP_URL",
      "–",
      "A mail server, as `smtps://user:password@host`. Without it mails are written into `DATA_DIR/mail`.",
    ],
    ["MAIL_FROM", "no-reply in the domain of `WEB_URL`", "Sender of mails, as in a From header."],
    ["REGISTRATION", "`open`", "`open` or `closed`: whether anybody may make an account."],
    [
      "REGISTRATION_DOMAINS",
      "–",
      "Domains whose e-mail addresses may register, also with Google, separated by commas. Empty: any.",
    ],
    [
      "USER_DIRECTORY",
      "`open` or `shared`",
      "Whom users find by a part of a name or an address: everybody (`open`), or only [those with whom they share an estimation](decisions/user-search-visibility.md) (`shared`). `open` where the service is local or `REGISTRATION` is `closed`, else `shared`.",
    ],
    [
      "GOOGLE_CLIENT_ID",
      "–",
      "Signing in with Google, or with another OpenID Connect provider: the client's id there …",
    ],
    ["GOOGLE_CLIENT_SECRET", "–", "… and its secret."],
    ["GOOGLE_ISSUER", "`https://accounts.google.com`", "The provider. HTTPS, or plain HTTP on loopback."],
  ],
  Webhooks: [
    [
      "WEBHOOK_ALLOWED_NETWORKS",
      "loopback where `HOST` is",
      "Networks that webhooks may reach although they are not public. Empty: none.",
    ],
    [
      "WEBHOOK_ALLOWED_PORTS",
      "`443,8443`",
      "Ports of public addresses that webhooks may go to; in the allowed networks, any.",
    ],
    ["WEBHOOK_RETRY_DELAYS", "`60,300,1800`", "Pauses before the second, third, … attempt of a delivery."],
    ["WEBHOOK_MAX_ATTEMPTS", "`3`", "Attempts in all."],
    ["WEBHOOK_TIMEOUT", "`10`", "Time for one attempt, including connecting and reading the response."],
    [
      "WEBHOOK_DELIVERIES_PER_MINUTE",
      "`1200`",
      "Attempts that all processes together begin per minute for all webhooks of one owner. The rest wait.",
    ],
  ],
  Trackers: [
    [
      "GITHUB_API_URL",
      "`https://api.github.com`",
      "Address of GitHub's API for [connections](exports.md) that name none.",
    ],
    ["GITHUB_WRITES_PER_MINUTE", "`60`", "Writes to GitHub by one connection; eight times as many in any hour."],
    ["JIRA_WRITES_PER_MINUTE", "`60`", "Writes to Jira by one connection; one of them creates up to 50 issues."],
    [
      "EXPORT_SETTLE_SECONDS",
      "`120`",
      "How long a tracker may take to show an issue that was sent to it, before it counts as [absent](exports.md).",
    ],
  ],
  "A language model": [
    [
      "SUGGESTION_URL",
      "–",
      "Address of the API of a [language model](suggestions.md#a-language-model) that is asked too. Without it nothing is sent anywhere.",
    ],
    ["SUGGESTION_PROTOCOL", "`openai`", "The protocol of that API: `openai` or `anthropic`."],
    ["SUGGESTION_MODEL", "–", "Name of the model; required with `SUGGESTION_URL`."],
    ["SUGGESTION_API_KEY", "–", "Key for the model's API; required by the protocol `anthropic`."],
    [
      "SUGGESTION_TIMEOUT",
      "`20`",
      "Time for one response of the model; at least 5 seconds less than `REQUEST_TIMEOUT`.",
    ],
  ],
  "Limits of requests": [
    ["REQUEST_TIMEOUT", "`30`", "Time for one request, from its credential or body to its response; then 503."],
    [
      "RATE_LIMIT_PER_MINUTE",
      "`1200`",
      "Requests of each user with all keys, otherwise of each address; [large and slow ones count more](security.md#what-a-request-costs).",
    ],
    [
      "RATE_LIMIT_AUTH_PER_MINUTE",
      "`20`",
      "Failed passwords, and requested mails, of each account and of each address.",
    ],
    ["INVITATIONS_PER_HOUR", "`50`", "[Mails with invitations](sharing.md) that one user may cause within any hour."],
  ],
  "Limits of what a user has": [
    ["ESTIMATIONS_PER_USER", "`10000`", "Estimations that one user may own; together with deleted ones twice as many."],
    [
      "MEBIBYTES_PER_USER",
      "`1024`",
      "Total size of the trees of one user's estimations, deleted ones included until they are removed. Their versions may take four times as much, and so may tasks, comments, messages, notes of reviews and labels of versions; of these up to 64 KiB of each estimation are free.",
    ],
  ],
  Retention: [
    ["WEBHOOK_RETENTION_DAYS", "`30`", "Days that the delivery log goes back."],
    [
      "DELETED_ESTIMATION_RETENTION_DAYS",
      "`30`",
      "Days that a deleted estimation can be restored; then it is removed with all that belongs to it.",
    ],
    ["AUDIT_LOG_RETENTION_DAYS", "`180`", "Days that the audit log goes back."],
  ],
  Backup: [
    [
      "BACKUP_EVERY_HOURS",
      "–",
      "Hours between two [automatic backups](backup.md#automatic-backups); one of the workers makes each. Without it there are none.",
    ],
    ["BACKUP_KEEP", "`7`", "Automatic backups that are kept; older ones are removed."],
    ["BACKUP_DIR", "`backups` in `DATA_DIR`", "Folder that they are in, best on another disk."],
  ],
};

/** Returns the page of all settings. */
export const settingsPage = (): string =>
  generatedPage(
    "Settings",
    "`scripts/settings.ts`",
    "Environment variables. All are checked at the start; an invalid one ends the start with a line that says why. The log warns about variables whose name is close to that of a setting. Durations are in seconds; networks are in CIDR notation, separated by commas. What cannot be set is in [limits](reference/limits.md).",
    ...Object.entries(groups).flatMap(([title, settings]) => [
      `## ${title}`,
      table(
        ["Name", "Default", "Meaning"],
        settings.map(([name, given, meaning]) => [`\`${name}\``, given, meaning]),
      ),
    ]),
    "## Beside the settings",
    "A secret can be made with `openssl rand -base64 32 | tr '+/' '-_'`. The service does not start with another `SESSION_SECRET` or `ENCRYPTION_KEY` than before, because sessions or the secrets of webhooks would be lost. [How to change one](keys-and-people.md#changing-the-secrets); if the former one is lost, run `npx node main.js accept-secrets` with the new one set.",
    "`NODE_EXTRA_CA_CERTS` is honoured; authorities in `DATA_DIR/trusted-ca/*.pem` are trusted without a restart. The socket of the database is in the folder that the operating system names in `XDG_RUNTIME_DIR` where the temporary folder cannot be written.",
  );
