import type { TSchema } from "typebox";
import {
  type Access,
  type Endpoint,
  errorsOf,
  isRepeatable,
  needsAll,
  scopesOf,
  successesOf,
} from "../../../contract/endpoint.ts";
import { type ErrorKey, errorAnchor, errorKeys, errorRow } from "../../../contract/errors.ts";
import { eventNames, events } from "../../../contract/events.ts";
import type { EndpointGroup } from "../../../contract/groups.ts";
import { limits } from "../../../contract/limits.ts";
import { scopes } from "../../../contract/scopes.ts";
import { faultCodes } from "../../../contract/values/faults.ts";
import { type Examples, examplesOf } from "../openapi/examples.ts";
import { docsStyle } from "./docs-style.ts";

/** Returns an endpoint's id as words: `createApiKey` is "Create API key". */
const wordsOf = (id: string): string =>
  sentence(id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
    .replace(/\bapi\b/, "API")
    .replace(/\bgoogle sign in\b/, "Google sign-in");

const sentence = (text: string): string => (text.charAt(0).toUpperCase() + text.slice(1)).replaceAll("-", " ");

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Converts text of the contract to HTML: text between backticks becomes code. */
const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");

/**
 * Returns the API reference as one page without scripts: every endpoint with a request to copy, then errors, scopes and
 * events.
 */
export function docsPage(groups: readonly EndpointGroup[], baseUrl: string): string {
  const nav = groups.map(
    ({ title, endpoints }) =>
      `<strong>${title}</strong><ul>${Object.entries(endpoints)
        .map(([id, { summary }]) => `<li><a href="#${id}" title="${escapeHtml(summary)}">${wordsOf(id)}</a></li>`)
        .join("")}</ul>`,
  );
  const sections = groups.map(
    ({ title, endpoints }) =>
      `<section><h2>${title}</h2>${Object.entries(endpoints)
        .map(([id, endpoint]) => article(id, endpoint, baseUrl))
        .join("")}</section>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Estimation Service: API reference</title><style>${docsStyle}</style></head>
<body><div class="layout"><header><h1>Estimation Service</h1>
<p>Every call of the service is below <code>${escapeHtml(baseUrl)}/api</code>. Bodies are JSON. A success has its result
under <code>data</code>; an error has <code>success: false</code> and a <code>message</code> to match on.
For programs: <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
<p>Send <code>Authorization: Bearer …</code> with a session token (from registering or signing in; one hour, every scope) or with an
API key (<code>svc_live_…</code>, its own scopes). To copy a request into a shell, set <code>TOKEN</code> and the ids of its
path there first: <code>TOKEN=…</code>, <code>id=…</code>. A request that is marked <span class="tag">Idempotency-Key</span> may
carry this header: repeated with the same key within ${limits.idempotencyHours} hours, it is done once. Estimations have an <code>ETag</code>; a write with <code>If-Match</code> is refused where
somebody else was first.</p></header><nav aria-label="Endpoints">${nav.join("")}<strong>Reference</strong><ul>
<li><a href="#scopes">Scopes</a></li><li><a href="#events">Webhook events</a></li><li><a href="#errors">Errors</a></li><li><a href="#faults">Codes of faults</a></li></ul></nav>
<main>
${sections.join("")}
<section id="scopes"><h2>Scopes</h2><table><tbody>${Object.entries(scopes)
    .map(([name, what]) => `<tr><td><code>${name}</code></td><td>${prose(what)}</td></tr>`)
    .join("")}</tbody></table></section>
<section id="events"><h2>Webhook events</h2>${eventNames.map(eventArticle).join("")}</section>
<section id="errors"><h2>Errors</h2><table><tbody>${errorKeys.map(errorLine).join("")}</tbody></table></section>
<section id="faults"><h2>Codes of faults</h2><p>A row of <code>errors</code> says with its <code>path</code> and
<code>in</code> where a fault is, and with its <code>code</code> what it is.</p><table><tbody>${Object.entries(
    faultCodes,
  )
    .map(([code, what]) => `<tr><td><code>${code}</code></td><td>${prose(what)}</td></tr>`)
    .join("")}</tbody></table></section>
</main></div></body></html>`;
}

function errorLine(key: ErrorKey): string {
  const { status, message, when, hint } = errorRow(key);
  const helps = hint === undefined ? "" : `<br><span class="soft">${prose(hint)}</span>`;
  return `<tr id="${errorAnchor(key)}"><td>${status}</td><td><code>${escapeHtml(message)}</code></td><td>${prose(when)}${helps}</td></tr>`;
}

function article(id: string, endpoint: Endpoint, baseUrl: string): string {
  const { method, path, summary, description, access, query, response, events: fired } = endpoint;
  const filters = Object.entries(
    ((query ?? {}) as { properties?: Record<string, TSchema & { description?: string }> }).properties ?? {},
  );
  const examples = examplesOf(id);
  return `<article id="${id}"><h3><span class="method">${method}</span> <span class="path">${escapeHtml(path)}</span></h3>
<p>${prose(`${summary}. ${description ?? ""}`)}</p>
<p><span class="tag">${escapeHtml(accessText(access))}</span>${(fired ?? []).map((name) => ` <span class="tag">emits ${name}</span>`).join("")}${isRepeatable(endpoint) ? ' <span class="tag">Idempotency-Key</span>' : ""}</p>
${
  filters.length > 0
    ? `<p class="soft">Query: ${filters.map(([name, schema]) => `<code>${name}</code>${schema.description ? ` (${prose(schema.description)})` : ""}`).join(", ")}</p>`
    : ""
}
<pre tabindex="0">${escapeHtml(curl(endpoint, baseUrl, examples))}</pre>
<details><summary>Response ${response.status}, and errors</summary>
${responses(endpoint, examples)}
<p class="soft">${errorsOf(endpoint)
    .map(
      (key) =>
        `<a href="#${errorAnchor(key)}">${errorRow(key).status} <code>${escapeHtml(errorRow(key).message)}</code></a>`,
    )
    .join(", ")}</p></details></article>`;
}

function savedFile(status: number, { responses }: Examples): string {
  const [content] = Object.values((responses[status] ?? {}) as Readonly<Record<string, unknown>>);
  if (content === undefined) return "";
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
  return `<pre tabindex="0">${escapeHtml(text)}</pre>`;
}

function responses({ response }: Endpoint, examples: Examples): string {
  const shown = (text: string) => `<pre tabindex="0">${escapeHtml(text)}</pre>`;
  if ("location" in response) return shown(`Location: ${response.location}`);
  if ("file" in response) return shown(`A file: ${response.file.join(", ")}`) + savedFile(response.status, examples);
  if ("stream" in response) return shown("Server-sent events, each with JSON as its data, as they are produced");
  return successesOf(response)
    .map((success) => {
      const data = examples.responses[success.status];
      const example = data === undefined ? "" : shown(JSON.stringify({ success: true, data }, null, 2));
      return "when" in success ? `<p class="soft">${success.status}: ${prose(success.when)}</p>${example}` : example;
    })
    .join("");
}

function eventArticle(name: (typeof eventNames)[number]): string {
  const { when, example } = events[name];
  return `<article><h3><span class="path">${name}</span></h3><p>${prose(when)}.</p><pre tabindex="0">${escapeHtml(
    JSON.stringify(example, null, 2),
  )}</pre></article>`;
}

function accessText(access: Access): string {
  if (access === "anyone") return "no credential";
  if (access === "session") return "session token only";
  if (access === "administrator") return "session token of an administrator";
  if (access === "credential") return "session token or any API key";
  return scopesOf(access).join(needsAll(access) ? " and " : " or ");
}

/** Replaces ids of records by variables of a shell, named by the kind: `thr_01m80…` by `$thr_id`. */
const withoutIds = (query: string): string =>
  query.replace(/\b([a-z]+)_[0-9a-hjkmnp-tv-z]{26}\b/g, (_, kind: string) => `$${kind}_id`);

/** Returns a command for a shell in which `TOKEN`, the ids of the query and the path's parameters are set. */
function curl({ method, path, access, body: takesBody }: Endpoint, baseUrl: string, { query, body }: Examples): string {
  const below = path.replace(/:([A-Za-z]+)/g, "$$$1");
  // Commas separate the values of a list; encoded ones would be part of a value.
  const queried = query ? withoutIds(`?${new URLSearchParams(query)}`.replaceAll("%2C", ",")) : "";
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}"${baseUrl}${below}${queried}"`];
  if (access !== "anyone") lines.push(`-H "Authorization: Bearer $TOKEN"`);
  if (takesBody) {
    lines.push(`-H "Content-Type: application/json"`);
    const text = JSON.stringify(body ?? {}, null, 2);
    lines.push(`-d '${text.replaceAll("'", "'\\''").replaceAll("\n", "\n  ")}'`);
  }
  return lines.join(" \\\n  ");
}
