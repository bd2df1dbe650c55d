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
  readonly rows: Readonly<Record<string, Endpoint>>;
}

/** The ids that occur in more than one table. */
export type RepeatedIds<G, Seen = never> = G extends readonly [{ readonly rows: infer Rows }, ...infer Rest]
  ? (keyof Rows & Seen) | RepeatedIds<Rest, Seen | keyof Rows>
  : never;

type JoinedRows<G> = G extends readonly [{ readonly rows: infer Rows }, ...infer Rest]
  ? Rows & JoinedRows<Rest>
  : unknown;

/** Joins the tables into one by endpoint id. An id in two of them does not compile. */
export function joinRows<const G extends readonly EndpointGroup[]>(
  groups: G & ([RepeatedIds<G>] extends [never] ? unknown : { readonly repeatedIds: RepeatedIds<G> }),
) {
  const rows: unknown = Object.assign({}, ...groups.map((group) => group.rows));
  return { groups: groups as readonly EndpointGroup[], rows: rows as { [K in keyof JoinedRows<G>]: JoinedRows<G>[K] } };
}
