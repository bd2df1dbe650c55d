/** The form of Standard Webhooks: `whsec_`, then 24 to 64 bytes in base64. */
const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;

/** The two keys of a webhook's secret. */
export interface Keys {
  /** Key of `X-Service-Signature`: the secret as shown to the user. */
  readonly service: Uint8Array<ArrayBuffer>;
  /** Key of `webhook-signature`: the bytes that the secret encodes. */
  readonly standard: Uint8Array<ArrayBuffer>;
}

/**
 * Returns the keys of every secret. An invalid secret throws a TypeError that does not repeat it: an unset variable
 * must neither pass nor look like a forged request.
 */
export function keysOf(secrets: string | readonly string[]): Keys[] {
  const list = typeof secrets === "string" ? [secrets] : secrets;
  if (!Array.isArray(list) || list.length === 0) throw new TypeError("the secret of the webhook is needed");
  return list.map((secret: unknown) => {
    const encoded = typeof secret === "string" ? SECRET.exec(secret)?.[1] : undefined;
    const standard = Uint8Array.from(atob(encoded ?? ""), (character) => character.charCodeAt(0));
    if (standard.length < MIN_KEY_BYTES || standard.length > MAX_KEY_BYTES) {
      throw new TypeError("the secret is not one of a webhook: whsec_ and base64, exactly as the service gave it out");
    }
    return { service: new TextEncoder().encode(`whsec_${encoded}`), standard };
  });
}
