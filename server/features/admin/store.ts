import { and, desc, eq, inArray, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { AccountState } from "../../../contract/endpoints/admin.ts";
import type { Queryable } from "../../db/database.ts";
import { type UserRow, users } from "../auth/index.ts";

/** Which accounts are listed. */
export interface AccountFilter {
  /** What the name or the address contains. */
  readonly q?: string | undefined;
  /** Any of these; undefined: every account. */
  readonly state?: readonly AccountState[] | undefined;
}

const inState: Readonly<Record<AccountState, SQL>> = {
  enabled: isNull(users.disabledAt),
  disabled: isNotNull(users.disabledAt),
  administrator: eq(users.isAdministrator, true),
};

const isPerson = isNull(users.standsFor);

/**
 * Reads at most `limit` accounts, newest first, before `beforeId` if given. A search reads one account after the other until
 * the page is full: administrators are few, and an instance has thousands of accounts, not millions.
 */
export function listAccounts(
  db: Queryable,
  { q, state }: AccountFilter,
  limit: number,
  beforeId: string | null,
): Promise<UserRow[]> {
  const contained = q === undefined ? undefined : `%${q.trim().replace(/[\\%_]/g, "\\$&")}%`;
  return db
    .select()
    .from(users)
    .where(
      and(
        isPerson,
        beforeId === null ? undefined : lt(users.id, beforeId),
        state && or(...state.map((one) => inState[one])),
        contained === undefined
          ? undefined
          : sql`(${users.email} ilike ${contained} or ${users.name} ilike ${contained})`,
      ),
    )
    .orderBy(desc(users.id))
    .limit(limit);
}

/** Reads the account of a person. */
export async function findAccount(db: Queryable, id: string): Promise<UserRow | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), isPerson));
  return row;
}

/**
 * Locks the accounts of people until the transaction ends, in the order of their ids: nobody disables one or makes it an
 * administrator meanwhile.
 */
export function lockAccounts(tx: Queryable, ids: readonly string[]): Promise<UserRow[]> {
  return tx
    .select()
    .from(users)
    .where(and(inArray(users.id, [...ids]), isPerson))
    .orderBy(users.id)
    .for("no key update");
}
