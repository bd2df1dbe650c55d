import { createHmac, timingSafeEqual } from "node:crypto";
import type { SuggestedHours } from "../../../domain/suggestion/lognormal.ts";

/** What a receipt says: which suggestion for an estimation a user was shown, with its hours. */
export interface Receipt {
  readonly estimationId: string;
  readonly userId: string;
  readonly inputHash: string;
  readonly hours: SuggestedHours;
}

const HOURS = ["p10", "p50", "p80", "p90"] as const;
const WELL_FORMED = /^([0-9a-f]{64})((?:-\d+(?:\.\d+)?){4})\.([\w-]{43})$/;

/**
 * Signs what was suggested, so that a verdict about it can be recorded later, by any process, without computing the suggestion
 * again: when the hours were taken over, the estimation is another. A receipt is valid for one user and one estimation.
 */
export function createReceipts(key: Uint8Array) {
  const sign = (claim: string, { estimationId, userId }: Pick<Receipt, "estimationId" | "userId">): Buffer =>
    createHmac("sha256", key).update(`${estimationId} ${userId} ${claim}`).digest();
  return {
    make({ inputHash, hours, ...whose }: Receipt): string {
      const claim = `${inputHash}${HOURS.map((name) => `-${hours[name]}`).join("")}`;
      return `${claim}.${sign(claim, whose).toString("base64url")}`;
    },
    /** Returns null for anything that this service did not make for this user and estimation. */
    read(text: string, whose: Pick<Receipt, "estimationId" | "userId">): Receipt | null {
      const [, inputHash = "", values = "", signature = ""] = WELL_FORMED.exec(text) ?? [];
      const given = Buffer.from(signature, "base64url");
      const right = sign(`${inputHash}${values}`, whose);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
      const [p10 = 0, p50 = 0, p80 = 0, p90 = 0] = values.slice(1).split("-").map(Number);
      return { ...whose, inputHash, hours: { p10, p50, p80, p90 } };
    },
  };
}
