import type { Sealing } from "../../../platform/sealing.ts";
import { type SigningKeys, signingKeys } from "../signature.ts";

/** Secrets that are kept open; who was not needed for the longest time is forgotten first. */
const KEPT = 10_000;

/**
 * Opens the sealed secrets of webhooks and keeps them ready to sign with, because opening one costs more than a
 * signature. What is kept belongs to the sealed bytes: another secret, or another sealing of the same one, is opened anew.
 * Throws where the bytes are not the webhook's.
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
