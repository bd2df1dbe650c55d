import {
  and,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { type AccessLevel, accessLevels, type Right } from "../../../contract/rights.ts";
import type { Tree } from "../../../contract/values/tree.ts";
import { may } from "../../../domain/access.ts";
import type { Queryable } from "../../db/database.ts";
import { loadedText, storedText } from "../../db/stored-text.ts";
import type { AccessedRecord, EstimationLookUp, Locked } from "../../http/callers/estimation-access.ts";
import { fail } from "../../http/failure.ts";
import { inTurn } from "../../platform/compute.ts";
import { teamMembers, teams } from "../teams/index.ts";
import type { EstimationRow } from "./store.ts";
import { decisionTrees, estimationReaders, estimations } from "./tables.ts";

/** A reader's access to an estimation. */
export interface Access {
  /** The highest level that the reader has, as a person or as a member of a team. */
  readonly access: AccessLevel;
  /** The team that it comes from; null: the person has that level without any team. */
  readonly viaTeam: { readonly id: string; readonly name: string } | null;
}

const { estimationId, holderId, teamId, level } = estimationReaders;

/** SQL of type `text[]`: the ids of the teams of a user, as of the statement that contains it. */
const memberships = (userId: string): SQL =>
  sql`array(select ${teamMembers.teamId} from ${teamMembers} where ${teamMembers.userId} = ${userId})`;

const LEVELS = sql.raw(`'{${accessLevels.join(",")}}'::text[]`);

/** SQL: the place of a level in `accessLevels`; the highest has the lowest. */
const rankOf = (of: SQL): SQL => sql`array_position(${LEVELS}, ${of})`;

/**
 * SQL of a table with one row, or none without access: `level` and `via_team`, as a user has them of the estimation `id` who
 * belongs to `teamIds` (SQL of type `text[]`). At the same level the person's own comes first.
 */
export const accessOf = (id: SQLWrapper, userId: SQLWrapper, teamIds: SQL): SQL => sql`(
  select level, (
    select json_build_object('id', ${teams.id}, 'name', ${teams.name}) from ${teams} where ${teams.id} = team_id) as via_team
  from (
    select * from (
      select ${level}, null as team_id from ${estimationReaders} where ${estimationId} = ${id} and ${holderId} = ${userId}
      union all
      select ${level}, ${teamId} from ${estimationReaders}
      where ${estimationId} = ${id} and ${isNotNull(teamId)} and ${teamId} = any(${teamIds})) as held
    order by ${rankOf(sql`level`)}, team_id nulls first limit 1) as highest)`;

/** Returns the access of a user to an estimation, also to a deleted one; null: none. */
async function findAccess(db: Queryable, id: string, userId: string): Promise<Access | null> {
  const { rows } = await db.execute<AccessRow>(
    sql`select level, via_team from ${accessOf(sql`${id}`, sql`${userId}`, memberships(userId))} as access`,
  );
  return heldOf(rows[0]);
}

/**
 * The same for a locked estimation, so that it cannot be revoked until the transaction ends: readers change only with the
 * estimation locked, and the memberships that count here are locked too.
 */
async function lockAccess(tx: Queryable, id: string, userId: string): Promise<Access | null> {
  const concerned = sql`select ${teamId} from ${estimationReaders} where ${estimationId} = ${id} and ${isNotNull(teamId)}`;
  const { rows } = await tx.execute<AccessRow>(sql`
    with memberships as (
      select ${teamMembers.teamId} from ${teamMembers}
      where ${eq(teamMembers.userId, userId)} and ${teamMembers.teamId} in (${concerned}) for key share)
    select level, via_team
    from ${accessOf(sql`${id}`, sql`${userId}`, sql`array(select team_id from memberships)`)} as access`);
  return heldOf(rows[0]);
}

type AccessRow = Record<string, unknown> & { level: AccessLevel; via_team: Access["viaTeam"] };

const heldOf = (row: AccessRow | undefined): Access | null =>
  row ? { access: row.level, viaTeam: row.via_team } : null;

/** An estimation with its reader's access. */
export type ReadableEstimation = EstimationRow & Access;

/** An estimation that its reader may change, until the transaction ends. */
export type LockedEstimation = ReadableEstimation & Locked;

export const EMPTY_TREE: Tree = { nodes: [] };

/** The access of an owner, which no team can exceed. */
export const OWNER: Access = { access: "owner", viaTeam: null };

const access = {
  access: sql<Access["access"]>`access.level`,
  viaTeam: sql<Access["viaTeam"]>`access.via_team`,
};
const columns = { ...getTableColumns(estimations), ...access };

/** SQL: a row with the access of `userId` to each estimation; none without access. */
const accessFor = (userId: string): SQL =>
  sql`${accessOf(estimations.id, sql`${userId}`, memberships(userId))} as access`;

const isThere = (id: string) => and(eq(estimations.id, id), isNull(estimations.deletedAt));

/** Returns those of these estimations that are there and that a user may read, the last created first. */
export function findReadable(db: Queryable, ids: readonly string[], userId: string): Promise<ReadableEstimation[]> {
  return db
    .select(columns)
    .from(estimations)
    .crossJoinLateral(accessFor(userId))
    .where(and(inArray(estimations.id, [...ids]), isNull(estimations.deletedAt)))
    .orderBy(desc(estimations.id));
}

/** What is read of a tree. */
export const treeColumns = () => ({
  text: storedText(decisionTrees.tree, decisionTrees.bytes),
  bytes: decisionTrees.bytes,
});

/** Returns the tree that was read as text; null: none was stored yet. */
export const readTree = async (text: string | null): Promise<Tree> =>
  text === null ? EMPTY_TREE : await inTurn(text.length, () => JSON.parse(text) as Tree);

/** Locks the estimations that are not deleted, whoever may read them. It does so in the order of their ids, to avoid deadlocks. */
export function lockEstimations(
  tx: Queryable,
  ids: readonly string[],
): Promise<Pick<EstimationRow, "id" | "ownerId">[]> {
  return tx
    .select({ id: estimations.id, ownerId: estimations.ownerId })
    .from(estimations)
    .where(and(inArray(estimations.id, [...ids]), isNull(estimations.deletedAt)))
    .orderBy(estimations.id)
    .for("update");
}

/** Returns only the level of a reader, of a deleted estimation too. */
export const levelOf = async (db: Queryable, id: string, userId: string): Promise<AccessLevel | null> =>
  (await findAccess(db, id, userId))?.access ?? null;

/** Finds estimations, always with the access of the caller. */
export const estimationLookUp: EstimationLookUp<ReadableEstimation> = {
  async find(db, id, userId, right) {
    const [found] = await db.select(columns).from(estimations).crossJoinLateral(accessFor(userId)).where(isThere(id));
    return withRight(found ?? null, right);
  },

  async findWithTree(db, id, userId, right) {
    const [found] = await db
      .select({ ...columns, ...treeColumns() })
      .from(estimations)
      .crossJoinLateral(accessFor(userId))
      .leftJoin(decisionTrees, eq(decisionTrees.estimationId, estimations.id))
      .where(isThere(id));
    if (!found) return null;
    const { text, bytes, ...row } = withRight(found, right);
    return { ...row, tree: await readTree(loadedText({ text, bytes })) };
  },

  async lock(tx, id, userId, right) {
    const isOwner = eq(estimations.ownerId, userId);
    const isReadable = or(isOwner, sql`exists (select from ${accessFor(userId)})`);
    const isRestorable =
      right === "restore" ? or(isNull(estimations.deletedAt), isOwner) : isNull(estimations.deletedAt);
    const locked = await lockWhere(tx, and(eq(estimations.id, id), isReadable, isRestorable));
    if (locked === null) return null;
    // Read once it is locked: after waiting for a lock, PostgreSQL reads only the locked rows anew, not others of the statement.
    const held = locked.ownerId === userId ? OWNER : await lockAccess(tx, id, userId);
    return withRight(held && { ...locked, ...held }, right);
  },
};

/** Locks an estimation for a caller whom a record of it is about, whether or not with access yet; the level is the lowest then. */
export async function lockForOwnRecord(tx: Queryable, id: string, userId: string): Promise<LockedEstimation | null> {
  const locked = await lockWhere(tx, isThere(id));
  return locked && { ...locked, ...((await lockAccess(tx, id, userId)) ?? { access: "reviewer", viaTeam: null }) };
}

async function lockWhere(tx: Queryable, condition: SQL | undefined): Promise<(EstimationRow & Locked) | null> {
  const [found] = await tx.select().from(estimations).where(condition).for("update");
  return found ? { ...found, locked: true } : null;
}

/** Returns what a look-up found, for a caller who has that right. Refuses (403) a caller who sees it without the right. */
function withRight<R extends Pick<AccessedRecord, "access"> | null>(found: R, right: Right): R {
  if (found && may(found.access, right) !== "allowed") fail("forbidden");
  return found;
}
