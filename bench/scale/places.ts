import type { Endpoint } from "../../contract/endpoint.ts";
import { type EndpointId, endpointEntries } from "../../contract/index.ts";
import type { Account, Sample } from "./sample.ts";

interface Place {
  readonly path: string;
  readonly by: Account;
}

/** A list with its filters in one database. */
export interface Asked {
  readonly name: string;
  /** What it is filtered by; without, the whole list. */
  readonly search: readonly (readonly [string, string])[];
  place(sample: Sample): Place;
}

/** Who reads each list: whoever has one row in it for each estimation, where there is somebody. */
const GUESTS: readonly EndpointId[] = ["listMyShares", "listReviews", "listNotifications"];

/** Every list of the API but that of estimations. */
export const otherLists: readonly Asked[] = endpointEntries
  .filter(([id, endpoint]) => isList(endpoint) && id !== "listEstimations")
  .map(([id, { path }]) => ({
    name: `GET ${path}`,
    search: [],
    place: (sample) => ({ path: fillIn(path, sample), by: GUESTS.includes(id) ? sample.guest : sample.owner }),
  }));

/** A list has pages; a comparison, which has too, needs more to begin with. */
function isList({ method, query }: Endpoint): boolean {
  const { properties = {}, required = [] } = (query ?? {}) as { properties?: object; required?: readonly string[] };
  return method === "GET" && "cursor" in properties && required.length === 0;
}

function fillIn(path: string, sample: Sample): string {
  const { estimationId, webhookId } = sample;
  const params: Readonly<Record<string, string>> = {
    ...sample,
    id: path.startsWith("/api/webhooks/") ? webhookId : estimationId,
  } as never;
  return path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? `(no ${name})`);
}

/** Values of each filter of the list of estimations, from many rows to none; what depends on the database is named. */
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  status: ["draft", "tasks_generated", "exported"],
  access: ["owner", "editor", "viewer"],
  tag: ["every", "hundredth", "none"],
  team: ["(other team)"],
  owner: ["(owner)", "usr_00000000000000000000000001"],
  q: ["project", "hundredth", "warehouse", "zz"],
  sort: ["createdAt"],
};

const place = ({ owner }: Sample): Place => ({ path: "/api/estimations", by: owner });
const one = (filters: readonly (readonly [string, string])[]): Asked => ({
  name: `GET /api/estimations${filters.length > 0 ? "?" : ""}${filters.map((filter) => filter.join("=")).join("&")}`,
  search: filters,
  place,
});
const single = Object.entries(FILTERS).flatMap(([name, values]) => values.map((value) => [name, value] as const));

/** The list of estimations: without a filter, with each, and with each pair. */
export const estimationLists: readonly Asked[] = [
  one([]),
  ...single.map((filter) => one([filter])),
  ...single.flatMap((filter, at) =>
    single.slice(at + 1).flatMap((other) => (other[0] === filter[0] ? [] : [one([filter, other])])),
  ),
];

/** The path of a page of a list with so many rows. */
export function pageOf({ search, place }: Asked, sample: Sample, limit: number): Place {
  const values: Readonly<Record<string, string>> = { "(other team)": sample.otherTeamId, "(owner)": sample.owner.id };
  const { path, by } = place(sample);
  const query = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of search) query.append(name, values[value] ?? value);
  return { path: `${path}?${query}`, by };
}
