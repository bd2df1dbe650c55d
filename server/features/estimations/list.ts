import { and, arrayContains, desc, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import type { EstimationStatus } from "../../../contract/estimations.ts";
import type { AccessLevel } from "../../../contract/rights.ts";
import { type Database, prepareRows } from "../../db/database.ts";
import type { ReadableEstimation } from "./look-up-store.ts";
import { estimationReaders, estimations } from "./tables.ts";

/** Which estimations, and where to start. */
export interface EstimationQuery {
  readonly userId: string;
  readonly sort: "updatedAt" | "createdAt";
  readonly limit: number;
  readonly status?: EstimationStatus | undefined;
  readonly access?: AccessLevel | undefined;
  readonly tag?: string | undefined;
  readonly q?: string | undefined;
  /** The last row of the previous page: its sort value and its id. */
  readonly after: { readonly at: Date; readonly id: string } | null;
}

const FILTERS = {
  status: eq(estimations.status, sql.placeholder("status")),
  access: eq(estimationReaders.level, sql.placeholder("access")),
  tag: arrayContains(estimations.tags, sql`array[${sql.placeholder("tag")}]::text[]`),
  q: sql`(${estimations.title} || E'\\n' || coalesce(${estimations.clientName}, '')) ilike ${sql.placeholder("q")}`,
} satisfies Record<string, SQL>;

const columns = { ...getTableColumns(estimations), access: estimationReaders.level };
const COLUMNS = Object.keys(columns);

type Filter = keyof typeof FILTERS;
const filterNames = Object.keys(FILTERS) as Filter[];

/** Lists estimations, newest first, in a total order; each combination of filters is prepared once per connection. */
export function createEstimationList(pool: Database): (query: EstimationQuery) => Promise<ReadableEstimation[]> {
  const statements = new Map<string, ReturnType<typeof prepare>>();

  const prepare = (name: string, filters: readonly Filter[], sort: EstimationQuery["sort"], paged: boolean) => {
    const column = estimations[sort];
    const after = sql`(${column}, ${estimations.id}) < (${sql.placeholder("at")}::timestamptz, ${sql.placeholder("id")})`;
    const select = pool
      .select(columns)
      .from(estimationReaders)
      .innerJoin(estimations, eq(estimations.id, estimationReaders.estimationId))
      .where(
        and(
          eq(estimationReaders.userId, sql.placeholder("userId")),
          isNull(estimations.deletedAt),
          ...filters.map((filter) => FILTERS[filter]),
          ...(paged ? [after] : []),
        ),
      )
      .orderBy(desc(column), desc(estimations.id))
      .limit(sql.placeholder("limit"));
    return prepareRows(pool, name, COLUMNS, select);
  };

  return ({ userId, sort, limit, status, access, tag, q, after }) => {
    const given = { status, access, tag, q };
    const filters = filterNames.filter((name) => given[name] !== undefined);
    const name = ["list_estimations", sort, ...filters, ...(after ? ["after"] : [])].join("_");
    const statement = statements.get(name) ?? prepare(name, filters, sort, after !== null);
    statements.set(name, statement);
    const pattern = q === undefined ? q : `%${escapeLike(q)}%`;
    return statement({ userId, limit, status, access, tag, q: pattern, at: after?.at.toISOString(), id: after?.id });
  };
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");
