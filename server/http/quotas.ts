import type { EstimationLimit, Quota } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import type { Queryable } from "../db/database.ts";
import { fail } from "./failure.ts";

/** Room for what a request adds. */
export interface Reservation {
  readonly quota: Quota | EstimationLimit;
  /** Returns how much of the quota the caller may use; by default all of it. */
  readonly part?: (limit: number) => number;
  /** Returns how much is used with what is added; beyond `most` it need not count on. */
  readonly used: (tx: Queryable, most: number) => number | Promise<number>;
}

/** The quotas of users, some of which are settings, and those of estimations. */
export interface Quotas {
  /**
   * Refuses (409, naming the quota) what is beyond it. Whatever adds something that a quota bounds calls this in its
   * transaction.
   */
  reserve(tx: Queryable, reservation: Reservation): Promise<void>;
}

export function createQuotas(settings: Readonly<Record<Quota, number>>): Quotas {
  const most: Readonly<Record<Quota | EstimationLimit, number>> = { ...limits, ...settings };
  return {
    async reserve(tx, { quota, part = (limit) => limit, used }) {
      const limit = part(most[quota]);
      if ((await used(tx, limit)) > limit) fail("limit_reached", { details: { quota, limit } });
    },
  };
}

/** The two quotas of texts that several authors share: of all, and of one author. */
interface OfAuthors {
  readonly all: EstimationLimit;
  readonly own: "commentsPerAuthor" | "threadMessagesPerAuthor";
}

/**
 * Reserves room for one more text of an author, who has `own` of `all`. When all of it is used up, each author may still have
 * `keptPerAuthor`, and the owner of the estimation as many as any author: so nobody can use up what others need.
 */
export async function reserveForAuthor(
  quotas: Quotas,
  tx: Queryable,
  quota: OfAuthors,
  { all, own, isOwner }: { readonly all: number; readonly own: number; readonly isOwner: boolean },
): Promise<void> {
  await quotas.reserve(tx, { quota: quota.own, used: () => own + 1 });
  if (own < (isOwner ? limits[quota.own] : limits.keptPerAuthor)) return;
  await quotas.reserve(tx, { quota: quota.all, used: () => all + 1 });
}
