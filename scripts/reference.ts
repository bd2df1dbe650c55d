import type { TSchema } from "typebox";
import { type Access, type Endpoint, needsAll, scopesOf } from "../contract/endpoint.ts";
import { errorKeys, errorRow } from "../contract/errors.ts";
import { eventNames, events } from "../contract/events.ts";
import { endpointEntries, endpointGroups } from "../contract/index.ts";
import { scopes } from "../contract/scopes.ts";
import { faultCodes } from "../contract/values/faults.ts";
import { levelsWith } from "../domain/access.ts";
import { asvsPage } from "./asvs/page.ts";
import { dependenciesPage } from "./dependencies/page.ts";
import { hoursPage } from "./hours.ts";
import { limitPage } from "./limits.ts";
import { generatedPage, table } from "./markdown.ts";
import { metricsPage } from "./metrics.ts";
import { type Retention, retention } from "./retention.ts";
import { settingsPage } from "./settings.ts";

const page = (title: string, ...parts: string[]): string => generatedPage(title, "the contract", ...parts);

function accessText(access: Access): string {
  if (access === "anyone") return "none";
  if (access === "session") return "session token";
  if (access === "administrator") return "session token of an administrator";
  if (access === "credential") return "session token or any key";
  return scopesOf(access)
    .map((scope) => `\`${scope}\``)
    .join(needsAll(access) ? " and " : " or ");
}

function endpoints(): string {
  const row = ([id, { method, path, access, right, summary }]: readonly [string, Endpoint]) => [
    `\`${method}\``,
    `\`${path}\``,
    accessText(access),
    right ? levelsWith(right).join(", ") : "",
    summary,
    `\`${id}\``,
  ];
  return page(
    "Endpoints",
    "*Access* names who may call it, by what the estimation's owner gave them. Shapes of requests and responses are in the [OpenAPI description](../openapi.gen.json), and at `/docs` of a running service.",
    ...endpointGroups.flatMap(({ title, endpoints }) => [
      `## ${title}`,
      table(
        ["Method", "Path", "Credential or scope", "Access", "What it does", "Id"],
        Object.entries(endpoints).map(row),
      ),
    ]),
  );
}

const scopePage = () =>
  page(
    "Scopes",
    "What an API key may call. A session token has them all.",
    table(
      ["Scope", "What it allows", "Endpoints"],
      Object.entries(scopes).map(([scope, what]) => [
        `\`${scope}\``,
        what,
        scope === "admin"
          ? "all but those that need a session token"
          : endpointEntries
              .filter(([, { access }]) => (scopesOf(access) as readonly string[]).includes(scope))
              .map(([id]) => `\`${id}\``)
              .join(", ") || "none yet",
      ]),
    ),
  );

const fieldsOf = (schema: TSchema | undefined): string =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
    .map((name) => `\`${name}\``)
    .join(", ");

const errorPage = () =>
  page(
    "Errors",
    "Every error has `success: false` and `message`, which is what a program matches on.",
    table(
      ["Status", "`message`", "`code`", "`details`", "When"],
      errorKeys.map((key) => {
        const { status, message, code, details, when } = errorRow(key);
        return [status, `\`${message}\``, code ? `\`${code}\`` : "", fieldsOf(details), when];
      }),
    ),
    "## Codes of faults",
    "Rows of `errors` say where a fault is (`path`, a JSON pointer into the part of the request that `in` names), what it is (`code`) and, for people, what to do (`message`). `expected` and `suggestion` are there where they help.",
    table(
      ["`code`", "What is wrong with the value"],
      Object.entries(faultCodes).map(([code, what]) => [`\`${code}\``, what]),
    ),
  );

const firedBy = (ids: readonly string[]): string =>
  ids.length > 0 ? `Fired by ${ids.join(", ")}.` : "Nothing in this version fires it.";

const eventPage = () =>
  page(
    "Events",
    ...eventNames.flatMap((name) => {
      const { when, subscribable, data, example } = events[name];
      const fired = endpointEntries.filter(([, row]) => row.events?.includes(name)).map(([id]) => `\`${id}\``);
      return [
        `## ${name}`,
        [`${when}.`, subscribable ? firedBy(fired) : "It cannot be subscribed to."].join(" "),
        table(
          ["Field", "Type", "Meaning"],
          Object.entries(data.properties).map(([field, { type, description = "" }]: [string, Field]) => [
            `\`${field}\``,
            type,
            description,
          ]),
        ),
        `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
      ];
    }),
  );

interface Field {
  readonly type: string;
  readonly description?: string;
}

function endOf({ ends }: Retention): string {
  if ("with" in ends) return `with \`${ends.with}\``;
  return "after" in ends ? `${ends.after}, by \`${ends.job}\`` : ends.by;
}

const retentionPage = () =>
  generatedPage(
    "Retention of data",
    "`scripts/retention.ts`",
    "Every table of the database: what a row is, what bounds the number of rows, and what removes them. Names in capitals are [settings](../settings.md), others [limits](limits.md). Jobs remove rows in small batches, with a rest after each; they run every ten minutes or every hour, those of sign-ins every minute. An estimation is deleted by its owner, and removed for good with all that belongs to it after `DELETED_ESTIMATION_RETENTION_DAYS`.",
    table(
      ["Table", "A row is", "Bounded by", "Removed"],
      Object.entries(retention).map(([name, what]) => [`\`${name}\``, what.holds, what.bound, endOf(what)]),
    ),
    "The tables of the job queue (`graphile_worker`) hold a row for each job, which ends with it. A job that has failed 25 times is given up, which the log says: only a fault of the program leads to that.",
  );

/** Returns the generated pages by their path: `docs/reference`, and the settings. */
export const referencePages = (): Readonly<Record<string, string>> => ({
  "docs/dependencies.md": dependenciesPage(),
  "docs/reference/asvs.md": asvsPage(),
  "docs/reference/endpoints.md": endpoints(),
  "docs/reference/errors.md": errorPage(),
  "docs/reference/events.md": eventPage(),
  "docs/reference/hours.md": hoursPage(),
  "docs/reference/retention.md": retentionPage(),
  "docs/reference/limits.md": limitPage(),
  "docs/reference/metrics.md": metricsPage(),
  "docs/reference/scopes.md": scopePage(),
  "docs/settings.md": settingsPage(),
});
