import { and, desc, eq, getTableColumns, isNotNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Visibility } from "../../../contract/endpoints/templates.ts";
import type { TemplateTree } from "../../../domain/templates/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { loadedText, storedText } from "../../db/stored-text.ts";
import { inTurn } from "../../platform/compute.ts";
import { users } from "../auth/index.ts";
import { teams, teamsOf } from "../teams/index.ts";
import { templates } from "./tables.ts";

const { tree: _, bytes: __, ...shownColumns } = getTableColumns(templates);
const columns = {
  ...shownColumns,
  // Those of a deleted team are private at once, before they are stored so.
  visibility: sql<Visibility>`case when ${teams.endedAt} is null then ${templates.visibility} else 'private' end`.as(
    "visibility",
  ),
  teamId: sql<string | null>`case when ${teams.endedAt} is null then ${templates.teamId} end`.as("team_id"),
  ownerName: users.name,
  teamName: teams.name,
};

/** A template with the names of its owner and its team, without its tree. */
export type TemplateRow = Omit<typeof templates.$inferSelect, "tree" | "bytes"> & {
  readonly ownerName: string;
  readonly teamName: string | null;
};

const ownerOf = eq(users.id, templates.ownerId);
const teamOf = eq(teams.id, templates.teamId);
const isInstance = eq(templates.visibility, sql`'instance'`);
const isTeam = eq(templates.visibility, sql`'team'`);
/** SQL condition: of one of the teams of a user. */
const isOfTeams = (userId: string) => and(isTeam, sql`${templates.teamId} = any(${teamsOf(userId)})`);
const isSeenBy = (userId: string) => or(eq(templates.ownerId, userId), isInstance, isOfTeams(userId));

/** What a list shows. */
interface ListQuery {
  readonly userId: string;
  /** Only those whose name contains this, whatever its case. */
  readonly q?: string | undefined;
  readonly ownerId?: string | undefined;
  readonly limit: number;
  readonly afterId: string | null;
}

/** This many templates are read in the order of the list before those with a name are searched by its characters. */
const SCANNED = 500;

/**
 * Reads at most `limit` templates that a user sees, newest first, after `afterId` if given. Those of one owner are few, and
 * read by the index of owners. Otherwise, the user's own, those of the instance and those of each team are ranges of indexes;
 * the first rows of each are read. If few of these have the name, an index of the characters in names finds all that have it, so
 * that a page costs about the same for any number of templates.
 */
export async function listTemplates(
  db: Queryable,
  { userId, q = "", ownerId, limit, afterId }: ListQuery,
): Promise<TemplateRow[]> {
  const after = afterId === null ? undefined : lt(templates.id, afterId);
  if (ownerId !== undefined) {
    const named = q === "" ? undefined : hasName(q);
    const seen = ownerId === userId ? undefined : or(isInstance, isOfTeams(userId));
    return db
      .select(columns)
      .from(templates)
      .innerJoin(users, ownerOf)
      .leftJoin(teams, teamOf)
      .where(and(isOwn(ownerId), seen, named, after))
      .orderBy(desc(templates.id))
      .limit(limit);
  }
  const shown = { ...columns, isNamed: hasName(q).as("is_named") };
  const first = (rows: number) => {
    const range = (condition: SQL | undefined) =>
      db
        .select(shown)
        .from(templates)
        .innerJoin(users, ownerOf)
        .leftJoin(teams, teamOf)
        .where(and(condition, after))
        .orderBy(desc(templates.id))
        .limit(rows);
    // Of each team the first rows by their index, then the rows themselves.
    const ofTeams = sql`${templates.id} = any(array(
      select found.id from unnest(${teamsOf(userId)}) as mine (id) cross join lateral (
        select ${templates.id} as id from ${templates}
        where ${and(isTeam, sql`${templates.teamId} = mine.id`, ne(templates.ownerId, userId), after)}
        order by ${templates.id} desc limit ${rows}) as found
      order by found.id desc limit ${rows}))`;
    return unionAll(range(isOwn(userId)), range(isOfOthers(userId)), range(ofTeams))
      .orderBy(desc(templates.id))
      .limit(rows);
  };
  if (q === "") return first(limit);
  const scanned = await first(SCANNED);
  const named = scanned.filter(({ isNamed }) => isNamed);
  if (named.length >= limit || scanned.length < SCANNED) return named.slice(0, limit);
  return findNamed(db, { userId, q, limit, after });
}

const hasName = (q: string) => sql<boolean>`position(lower(${q}::text) in lower(${templates.name})) > 0`;
const isOwn = (userId: string) => eq(templates.ownerId, userId);
const isOfOthers = (userId: string) => and(isInstance, ne(templates.ownerId, userId));

/** Reads a page of the templates with a name: those of others by the indexes of characters, and all of the user's own. */
function findNamed(
  db: Queryable,
  { userId, q, limit, after }: Pick<ListQuery, "userId" | "limit"> & { q: string; after: SQL | undefined },
): Promise<TemplateRow[]> {
  const text = sql`lower(${q}::text)`;
  const grams = sql`array(select substr(${text}, at, 3) from generate_series(1, greatest(length(${text}) - 2, 1)) as at)`;
  const hasGrams = sql`text_grams(${templates.name}) @> ${grams}`;
  const ids = (condition: SQL | undefined) =>
    sql`select ${templates.id} as id from ${templates} where ${and(condition, hasName(q), after)}`;
  // First all that have the name: a planner that expects many would read the list in its order until it has a page.
  const found = sql`with found as materialized (
      ${ids(isOwn(userId))} union all ${ids(and(isOfOthers(userId), hasGrams))}
      union all ${ids(and(isOfTeams(userId), ne(templates.ownerId, userId), hasGrams))})
    select id from found order by id desc limit ${limit}`;
  return db
    .select(columns)
    .from(templates)
    .innerJoin(users, ownerOf)
    .leftJoin(teams, teamOf)
    .where(sql`${templates.id} = any(array(${found}))`)
    .orderBy(desc(templates.id));
}

/** Reads a template that a user sees. */
export async function findTemplate(db: Queryable, id: string, userId: string): Promise<TemplateRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(templates)
    .innerJoin(users, ownerOf)
    .leftJoin(teams, teamOf)
    .where(and(eq(templates.id, id), isSeenBy(userId)));
  return row;
}

/** The same with its tree. */
export async function findTemplateWithTree(
  db: Queryable,
  id: string,
  userId: string,
): Promise<(TemplateRow & { readonly tree: TemplateTree }) | undefined> {
  const [row] = await db
    .select({ ...columns, text: storedText(templates.tree, templates.bytes), bytes: templates.bytes })
    .from(templates)
    .innerJoin(users, ownerOf)
    .leftJoin(teams, teamOf)
    .where(and(eq(templates.id, id), isSeenBy(userId)));
  if (!row) return undefined;
  const { text: stored, bytes, ...template } = row;
  const text = loadedText({ text: stored, bytes }) as string;
  return { ...template, tree: await inTurn(bytes, () => JSON.parse(text) as TemplateTree) };
}

/**
 * Returns how many templates a user has, how many of them everybody sees, and how many bytes they take. Locks the user's
 * row: one request at a time creates.
 */
export async function measureTemplates(
  tx: Queryable,
  ownerId: string,
): Promise<{ readonly count: number; readonly ofInstance: number; readonly bytes: number }> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for("no key update");
  const [row] = await tx
    .select({
      count: sql<number>`count(*)::int`,
      ofInstance: sql<number>`(count(*) filter (where ${isInstance}))::int`,
      bytes: sql<number>`coalesce(sum(${templates.bytes}), 0)::float8`,
    })
    .from(templates)
    .where(eq(templates.ownerId, ownerId));
  return row ?? { count: 0, ofInstance: 0, bytes: 0 };
}

/** Stores a template whose tree is given as JSON. */
export async function insertTemplate(
  tx: Queryable,
  { text, ...row }: Omit<typeof templates.$inferInsert, "tree"> & { readonly text: string },
): Promise<void> {
  await tx.insert(templates).values({ ...row, tree: sql`${text}::json` });
}

/** Changes fields of a template beside its tree. */
export async function changeTemplate(
  tx: Queryable,
  id: string,
  changes: Partial<Pick<TemplateRow, "name" | "description" | "visibility" | "teamId">>,
): Promise<void> {
  await tx.update(templates).set(changes).where(eq(templates.id, id));
}

/** Takes a template from the team that sees it. */
export async function makePrivate(tx: Queryable, id: string): Promise<void> {
  await tx.update(templates).set({ visibility: "private", teamId: null }).where(eq(templates.id, id));
}

/** Makes up to `rows` templates of deleted teams private; returns how many. Nobody else has seen them since the members went. */
export async function makePrivateOfEnded(db: Queryable, rows: number): Promise<number> {
  const some = sql`select ${templates.id} from ${teams} join ${templates} on ${teamOf}
    where ${and(isTeam, isNotNull(teams.endedAt))} limit ${rows}`;
  const { rowCount } = await db
    .update(templates)
    .set({ visibility: "private", teamId: null })
    .where(sql`${templates.id} = any(array(${some}))`);
  return rowCount ?? 0;
}

/** Deletes a template of a user; returns whether there was one. */
export async function removeTemplate(tx: Queryable, id: string, ownerId: string): Promise<boolean> {
  const removed = await tx.delete(templates).where(and(eq(templates.id, id), eq(templates.ownerId, ownerId)));
  return removed.rowCount === 1;
}
