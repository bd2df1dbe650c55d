import type { portfolio } from "../../../contract/endpoints/portfolio.ts";
import { limits } from "../../../contract/limits.ts";
import type { Fault } from "../../../contract/values/faults.ts";
import { type Capacity, type Part, portfolioOf } from "../../../domain/portfolio/portfolio.ts";
import { dayOf } from "../../../domain/timeline/calendar.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Call, Handlers } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { createEstimationList } from "./list.ts";
import { findReadable, type ReadableEstimation } from "./look-up-store.ts";

type Query = Call<typeof portfolio.getPortfolio>["query"];

/** Adding up several estimations. No tree is read: the sums of each are stored with it. */
export function portfolioRoutes({ pool }: Pick<Services, "pool">): Handlers<typeof portfolio, ReadableEstimation> {
  const list = createEstimationList(pool);

  /** The estimations that a request names or whose filters find them. What cannot be read does not exist. */
  async function find(query: Query, userId: string): Promise<ReadableEstimation[]> {
    const { ids, status, access, tag, team, owner, q } = query;
    const filters = { status, access, tag, team, owner, q };
    if (ids) {
      const given = Object.entries(filters).filter(([, value]) => value !== undefined);
      if (given.length > 0) failWith(given.map(([name]) => fault(name, "cannot be combined with `ids`")));
      const found = await findReadable(pool, ids, userId);
      return found.length === ids.length ? found : fail("not_found");
    }
    const most = limits.portfolioEstimations;
    const found = await list({ ...filters, userId, sort: "updatedAt", limit: most + 1, after: null });
    if (found.length <= most) return found;
    const message = `must find at most ${most} estimations: narrow the filters`;
    return failWith([{ path: "", in: "query", code: "too_many", message, expected: most }]);
  }

  return {
    async getPortfolio({ actor, query }) {
      const capacity = capacityOf(query);
      const found = await find(query, actor.userId);
      return { data: { portfolio: portfolioOf(found.map(partOf), query.correlation ?? 0.2, capacity) } };
    },
  };
}

const fault = (name: string, message: string, code: Fault["code"] = "not_allowed"): Fault => ({
  ...{ path: `/${name}`, in: "query", code, message },
});

const partOf = (row: ReadableEstimation): Part => ({
  id: row.id,
  title: row.title,
  moments: {
    optimistic: row.hoursOptimistic,
    pessimistic: row.hoursPessimistic,
    expected: row.hoursExpected,
    standardDeviation: row.hoursDeviation,
  },
  p80: row.hoursP80,
  hourlyRate: row.hourlyRate,
  currency: row.currency,
});

/** Returns the capacity that a request asks about, or null. Refuses (400) a part of one, and days that do not exist. */
function capacityOf({ people, hoursPerWeek, from, until }: Query): Capacity | null {
  const given = { people, hoursPerWeek, from, until };
  const missing = Object.entries(given).filter(([, value]) => value === undefined);
  if (missing.length === 4) return null;
  if (people === undefined || hoursPerWeek === undefined || from === undefined || until === undefined)
    return failWith(missing.map(([name]) => fault(name, "is required with the other parts of a capacity", "required")));
  const [first, last] = [dayOf(from), dayOf(until)];
  if (first === null) return failWith([fault("from", "must be a date from 1970 to 2199", "wrong_format")]);
  if (last === null) return failWith([fault("until", "must be a date from 1970 to 2199", "wrong_format")]);
  if (last < first) failWith([fault("until", "must not be before `from`", "out_of_order")]);
  return { people, hoursPerWeek, from: first, until: last };
}
