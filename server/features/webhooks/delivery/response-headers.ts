import { limits } from "../../../../contract/limits.ts";
import { redact } from "../../../platform/redact.ts";

/** Names of headers that may carry a credential: the log must not reveal them. */
const SECRET = /auth|cookie|token|secret|session|passw|credential|api-?key|csrf|xsrf|jwt|signature|nonce/i;

/**
 * Returns the response headers to keep in the log: none that may carry a credential, and as many of the others, in
 * order, as fit into `limits.webhookResponseKeptBytes`.
 */
export function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  let room: number = limits.webhookResponseKeptBytes;
  const kept: [string, string][] = [];
  // Most have no credential: looking once for all is a fraction of the work.
  const all = Object.values(headers).join("\n");
  const isClean = redact(all) === all;
  for (const [name, given] of Object.entries(headers)) {
    if (SECRET.test(name)) continue;
    const value = isClean ? given : redact(given);
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(value);
    if (bytes > room) continue;
    room -= bytes;
    kept.push([name, value]);
  }
  return Object.fromEntries(kept);
}
