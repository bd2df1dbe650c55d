import { createHash } from "node:crypto";
import { and, asc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";
import { heldInvitations, invitationMails, shares } from "./tables.ts";

const DAY_MS = 86_400_000;

/** A mail with an invitation to an address, which is normalized. */
interface InvitationMail {
  readonly address: string;
  readonly senderId: string;
  readonly now: Date;
}

const hashOf = (address: string): Buffer => createHash("sha256").update(address).digest();

/**
 * Counts a mail with an invitation to an address, and returns whether it may be sent: at most a few a day from one sender and
 * from all, whatever shares were deleted since. Until the transaction ends, others who invite the address wait.
 */
export async function admitMail(tx: Queryable, { address, senderId, now }: InvitationMail): Promise<boolean> {
  const hash = hashOf(address);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('invitations:' || ${hash.toString("hex")}, 0))`);
  const at = (ms: number) => sql`${new Date(now.getTime() + ms).toISOString()}::timestamptz`;
  const admitted = await tx.execute(sql`
    insert into ${invitationMails} (address_hash, sender_id, at)
    select ${hash}, ${senderId}, ${at(0)}
    from (
      select count(*) as of_all, count(*) filter (where sender_id = ${senderId}) as of_sender
      from ${invitationMails} where address_hash = ${hash} and at > ${at(-DAY_MS)}
    ) as earlier
    where of_all < ${limits.invitationMailsToAddressPerDay} and of_sender < ${limits.invitationMailsPerDay}`);
  return admitted.rowCount === 1;
}

/** The mail that several invitations to an address wait for. */
export interface Digest {
  /** SHA-256 of the address, as hex digits. */
  readonly addressHash: string;
  readonly dueAt: Date;
}

/**
 * Lets an invitation that `admitMail` refused wait for a mail with all of its kind, a day after the first of them. Returns that
 * mail if it is new, so that it has to be requested.
 */
export async function holdInvitation(
  tx: Queryable,
  { shareId, address, now }: { readonly shareId: string } & Pick<InvitationMail, "address" | "now">,
): Promise<Digest | null> {
  const addressHash = hashOf(address);
  const [waiting] = await tx
    .select({ dueAt: heldInvitations.dueAt })
    .from(heldInvitations)
    .where(and(eq(heldInvitations.addressHash, addressHash), gt(heldInvitations.dueAt, now)))
    .orderBy(asc(heldInvitations.dueAt))
    .limit(1);
  const dueAt = waiting?.dueAt ?? new Date(now.getTime() + DAY_MS);
  await tx
    .insert(heldInvitations)
    .values({ shareId, addressHash, dueAt })
    .onConflictDoUpdate({ target: heldInvitations.shareId, set: { dueAt } });
  return waiting ? null : { addressHash: addressHash.toString("hex"), dueAt };
}

/** An invitation that has waited, with the texts that its mail may show. */
export interface HeldInvitation {
  readonly email: string;
  readonly sentAt: Date;
  readonly estimationTitle: string;
  readonly sharerName: string;
  readonly sharerEmail: string;
}

/** Lists at most `limit` of the invitations that wait for a mail and are neither accepted nor deleted, in order of their ids. */
export function listHeld(db: Queryable, { addressHash, dueAt }: Digest, limit: number): Promise<HeldInvitation[]> {
  return db
    .select({
      email: shares.email,
      sentAt: shares.sentAt,
      estimationTitle: estimations.title,
      sharerName: users.name,
      sharerEmail: users.email,
    })
    .from(heldInvitations)
    .innerJoin(shares, eq(shares.id, heldInvitations.shareId))
    .innerJoin(estimations, and(eq(estimations.id, shares.estimationId), isNull(estimations.deletedAt)))
    .innerJoin(users, eq(users.id, shares.sharerId))
    .where(
      and(
        eq(heldInvitations.addressHash, Buffer.from(addressHash, "hex")),
        eq(heldInvitations.dueAt, dueAt),
        isNull(shares.userId),
      ),
    )
    .orderBy(shares.id)
    .limit(limit);
}

/** Forgets up to `rows` mails from before `time`, and returns how many. */
export async function forgetInvitationMails(db: Queryable, time: Date, rows: number): Promise<number> {
  const { id, at } = invitationMails;
  const old = db.select({ id }).from(invitationMails).where(lt(at, time)).orderBy(at).limit(rows);
  const { rowCount } = await db.delete(invitationMails).where(sql`${id} in ${old}`);
  return rowCount ?? 0;
}
