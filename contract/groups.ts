import type { Endpoint } from "./endpoint.ts";

/** Groups of tables in a table of contents, in their order. */
const sections = ["Access", "Estimating", "Exporting", "Webhooks"] as const;

/** A table of endpoints under its heading in the documentation. */
export interface EndpointGroup {
  readonly title: string;
  /** What the endpoints are for, in one sentence. */
  readonly description: string;
  /** Its group in a table of contents. */
  readonly section: (typeof sections)[number];
  readonly endpoints: Readonly<Record<string, Endpoint>>;
}

/** The ids that occur in more than one table. */
export type RepeatedIds<G, Seen = never> = G extends readonly [{ readonly endpoints: infer Endpoints }, ...infer Rest]
  ? (keyof Endpoints & Seen) | RepeatedIds<Rest, Seen | keyof Endpoints>
  : never;

type JoinedEndpoints<G> = G extends readonly [{ readonly endpoints: infer Endpoints }, ...infer Rest]
  ? Endpoints & JoinedEndpoints<Rest>
  : unknown;

/** Joins the tables into one by endpoint id. An id in two of them does not compile. */
export function joinGroups<const G extends readonly EndpointGroup[]>(
  groups: G & ([RepeatedIds<G>] extends [never] ? unknown : { readonly repeatedIds: RepeatedIds<G> }),
) {
  const endpoints: unknown = Object.assign({}, ...groups.map((group) => group.endpoints));
  return {
    groups: groups as readonly EndpointGroup[],
    endpoints: endpoints as { [K in keyof JoinedEndpoints<G>]: JoinedEndpoints<G>[K] },
  };
}
