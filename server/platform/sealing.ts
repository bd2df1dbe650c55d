import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts stored values that must be readable again (webhook secrets, tracker tokens). */
export interface Sealing {
  /** Encrypts `plaintext`; `context` (for example the id of the record) must be the same when opening. */
  seal(plaintext: string, context: string): Buffer;
  /** Decrypts what `seal` made. Throws if the key, the context or the bytes differ. */
  open(sealed: Uint8Array, context: string): string;
}

/** AES-256-GCM with a random 96-bit nonce; a value is nonce ‖ tag ‖ ciphertext. `key` has 32 bytes. */
export function createSealing(key: Uint8Array): Sealing {
  return {
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        "utf8",
      );
    },
  };
}
