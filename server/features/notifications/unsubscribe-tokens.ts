import { createHmac, timingSafeEqual } from "node:crypto";
import { type MailSetting, mailSettingNames } from "../../../contract/mails.ts";
import { hashOf } from "./store.ts";

/** What a link at the end of a mail turns off. */
export interface Unsubscribing {
  readonly addressHash: Uint8Array;
  readonly setting: MailSetting;
}

/** Setting, hash of the address, and signature: 32 bytes each in base64url without stray bits. */
const WELL_FORMED = /^([A-Za-z]{1,40})\.([\w-]{42}[AEIMQUYcgkosw048])\.([\w-]{42}[AEIMQUYcgkosw048])$/;

/**
 * Makes and reads the tokens of links that turn mails off. They are signed rather than stored, and stay valid: people
 * may open an old mail. A token is valid for one setting of one address only.
 */
export function createUnsubscribeTokens(key: Uint8Array) {
  const sign = (claim: string): Buffer => createHmac("sha256", key).update(claim).digest();
  return {
    make(address: string, setting: MailSetting): string {
      const claim = `${setting}.${Buffer.from(hashOf(address)).toString("base64url")}`;
      return `${claim}.${sign(claim).toString("base64url")}`;
    },
    /** Returns null for anything that this service did not make. */
    read(token: string): Unsubscribing | null {
      const [, name = "", hash = "", signature = ""] = WELL_FORMED.exec(token) ?? [];
      if (!timingSafeEqual(sign(`${name}.${hash}`), asDigest(signature))) return null;
      const setting = mailSettingNames.find((known) => known === name);
      return setting === undefined ? null : { addressHash: Buffer.from(hash, "base64url"), setting };
    },
  };
}

const DIGEST_BYTES = 32;
/** A signature of another length becomes one that never matches. */
function asDigest(signature: string): Buffer {
  const bytes = Buffer.from(signature, "base64url");
  return bytes.length === DIGEST_BYTES ? bytes : Buffer.alloc(DIGEST_BYTES);
}
