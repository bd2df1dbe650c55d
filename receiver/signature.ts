import { WebhookVerificationError } from "./error.ts";
import type { ReadHeader } from "./headers.ts";
import type { Keys } from "./secret.ts";

export interface Freshness {
  readonly nowSeconds: number;
  /** How far the time of signing may differ from now, either way. */
  readonly toleranceSeconds: number;
}

const STANDARD_HEADERS = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/** Whether the request carries any header of Standard Webhooks; then it must carry them all, and they must be right. */
export const hasStandardHeaders = (header: ReadHeader): boolean =>
  STANDARD_HEADERS.some((name) => header(name) !== undefined);

/**
 * Checks the signature of Standard Webhooks 1.0: base64 of the HMAC-SHA256 over `id.timestamp.body`, one or several of them
 * after `v1,`, parted by spaces. Signatures of other versions are passed over. https://www.standardwebhooks.com
 */
export async function checkStandardSignature(
  body: Uint8Array<ArrayBuffer>,
  header: ReadHeader,
  keys: readonly Keys[],
  freshness: Freshness,
): Promise<void> {
  const [id, timestamp, signatures] = STANDARD_HEADERS.map((name) => requireHeader(header, name)) as [
    string,
    string,
    string,
  ];
  checkTimestamp(timestamp, freshness);
  const given = signatures.split(" ");
  for (const { standard } of keys) {
    const expected = await standardSignature(body, { id, timestamp }, standard);
    if (given.some((signature) => isSame(signature, expected))) return;
  }
  throw new WebhookVerificationError("signature_mismatch");
}

/** Checks `X-Service-Signature`: `sha256=` and the HMAC-SHA256 over the body, in lower-case hexadecimal. */
export async function checkServiceSignature(
  body: Uint8Array<ArrayBuffer>,
  header: ReadHeader,
  keys: readonly Keys[],
): Promise<void> {
  const given = requireHeader(header, "x-service-signature");
  for (const { service } of keys) if (isSame(given, await serviceSignature(body, service))) return;
  throw new WebhookVerificationError("signature_mismatch");
}

/** Returns one signature of `webhook-signature`. `timestamp` is in seconds since 1970. */
export async function standardSignature(
  body: Uint8Array<ArrayBuffer>,
  { id, timestamp }: { readonly id: string; readonly timestamp: string },
  key: Keys["standard"],
): Promise<string> {
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(prefix.length + body.length);
  content.set(prefix);
  content.set(body, prefix.length);
  return `v1,${btoa(String.fromCharCode(...(await hmacSha256(key, content))))}`;
}

/** Returns `X-Service-Signature`. */
export async function serviceSignature(body: Uint8Array<ArrayBuffer>, key: Keys["service"]): Promise<string> {
  const digits = Array.from(await hmacSha256(key, body), (byte) => byte.toString(16).padStart(2, "0"));
  return `sha256=${digits.join("")}`;
}

export function requireHeader(header: ReadHeader, name: string): string {
  const value = header(name);
  if (value === undefined) throw new WebhookVerificationError("missing_header", name);
  return value;
}

function checkTimestamp(timestamp: string, { nowSeconds, toleranceSeconds }: Freshness): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError("invalid_timestamp");
  const ageSeconds = nowSeconds - Number(timestamp);
  if (ageSeconds > toleranceSeconds) throw new WebhookVerificationError("timestamp_too_old", `${ageSeconds} s`);
  if (ageSeconds < -toleranceSeconds) throw new WebhookVerificationError("timestamp_too_new", `${-ageSeconds} s`);
}

async function hmacSha256(key: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) throw new Error("this runtime has no Web Crypto (Node.js 18 has it as webcrypto of node:crypto)");
  const imported = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", imported, message));
}

/** Compares texts of equal length in a time that does not reveal where they differ. */
function isSame(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at++) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}
