import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a stored value that must be readable again, with AES-256-GCM and a random 96-bit nonce: nonce ‖ tag ‖ ciphertext.
 * `context` (for example the id of the record) must be the same when opening. `key` has 32 bytes.
 */
export function seal(key: Uint8Array, plaintext: string, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts what `seal` made with one of `keys`. Throws if it was none of them, or if the context or the bytes differ. */
export function open(keys: readonly Uint8Array[], sealed: Uint8Array, context: string): string {
  for (const [at, key] of keys.entries()) {
    try {
      return openWith(key, sealed, context);
    } catch (error) {
      if (at === keys.length - 1) throw error;
    }
  }
  throw new Error("there is no key");
}

function openWith(key: Uint8Array, sealed: Uint8Array, context: string): string {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const plaintext = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
  return Buffer.concat(plaintext).toString("utf8");
}
