import { createHash } from "node:crypto";
import { and, asc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { users } from "../auth/index.ts";
import { estimations } from "../estimations/index.ts";
import { teamInvitations, teams } from "../teams/index.ts";
import type { Invited } from "./sent-store.ts";
import { heldInvitations, invitationMails, shares } from "./tables.ts";

const DAY_MS = 86_400_000;
const KEYS = { share: "shareId", team: "teamInvitationId" } as const;

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
  { invited, address, now }: { readonly invited: Invited } & Pick<InvitationMail, "address" | "now">,
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
    .values({ id: invited.id, [KEYS[invited.to]]: invited.id, addressHash, dueAt })
    .onConflictDoUpdate({ target: heldInvitations.id, set: { dueAt } });
  return waiting ? null : { addressHash: addressHash.toString("hex"), dueAt };
}

/** An invitation that has waited, with the texts that its mail may show. */
export interface HeldInvitation {
  readonly to: Invited["to"];
  readonly email: string;
  readonly sentAt: Date;
  /** Of the estimation, or the name of the team. */
  readonly title: string;
  readonly senderName: string;
  readonly senderEmail: string;
}

/**
 * Lists at most `limit` of the invitations that wait for a mail and are neither accepted nor deleted: those of shares, then
 * those to teams, both in order of their ids.
 */
export async function listHeld(
  db: Queryable,
  { addressHash, dueAt }: Digest,
  limit: number,
): Promise<HeldInvitation[]> {
  const waits = and(eq(heldInvitations.addressHash, Buffer.from(addressHash, "hex")), eq(heldInvitations.dueAt, dueAt));
  const sender = { senderName: users.name, senderEmail: users.email };
  const ofShares = await db
    .select({ email: sql<string>`${shares.email}`, sentAt: shares.sentAt, title: estimations.title, ...sender })
    .from(heldInvitations)
    .innerJoin(shares, eq(shares.id, heldInvitations.shareId))
    .innerJoin(estimations, and(eq(estimations.id, shares.estimationId), isNull(estimations.deletedAt)))
    .innerJoin(users, eq(users.id, shares.sharerId))
    .where(and(waits, isNull(shares.userId)))
    .orderBy(shares.id)
    .limit(limit);
  const toTeams = await db
    .select({ email: teamInvitations.email, sentAt: teamInvitations.sentAt, title: teams.name, ...sender })
    .from(heldInvitations)
    .innerJoin(teamInvitations, eq(teamInvitations.id, heldInvitations.teamInvitationId))
    .innerJoin(teams, eq(teams.id, teamInvitations.teamId))
    .innerJoin(users, eq(users.id, teamInvitations.inviterId))
    .where(waits)
    .orderBy(teamInvitations.id)
    .limit(limit);
  return [
    ...ofShares.map((row) => ({ to: "share", ...row }) as const),
    ...toTeams.map((row) => ({ to: "team", ...row }) as const),
  ].slice(0, limit);
}

/** Forgets up to `rows` mails from before `time`, and returns how many. */
export async function forgetInvitationMails(db: Queryable, time: Date, rows: number): Promise<number> {
  const { id, at } = invitationMails;
  const old = db.select({ id }).from(invitationMails).where(lt(at, time)).orderBy(at).limit(rows);
  const { rowCount } = await db.delete(invitationMails).where(sql`${id} in ${old}`);
  return rowCount ?? 0;
}
