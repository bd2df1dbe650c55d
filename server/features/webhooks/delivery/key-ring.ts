import type { Sealing } from "../../../platform/sealing.ts";
import { type SigningKeys, signingKeys } from "../../../platform/webhook-signature.ts";

/** The most decrypted secrets to keep; the least recently used is dropped first. */
const KEPT = 10_000;

/**
 * Decrypts the sealed secrets of webhooks and keeps them ready for signing, because decrypting one costs more than a
 * signature. The cache key is the sealed bytes: another secret, or the same one sealed again, is decrypted anew. Throws
 * if the bytes are not the webhook's.
 */
export function createKeyRing(sealing: Sealing, kept = KEPT): (webhookId: string, sealed: Uint8Array) => SigningKeys {
  const ring = new Map<string, SigningKeys>();
  return (webhookId, sealed) => {
    const name = `${webhookId} ${Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength).toString("latin1")}`;
    const keys = ring.get(name) ?? signingKeys(sealing.open(sealed, webhookId));
    ring.delete(name);
    ring.set(name, keys);
    if (ring.size > kept) ring.delete(ring.keys().next().value ?? "");
    return keys;
  };
}
