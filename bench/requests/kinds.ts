import type autocannon from "autocannon";

/** What is asked of a service: a user's key, estimations of usual trees, and for each the two trees that are written in turn. */
export interface Filled {
  readonly key: string;
  readonly trees: readonly { readonly id: string; readonly bodies: readonly [string, string] }[];
}

/** One connection, so that no two write to the same estimation. */
type Setup = (at: number, filled: Filled) => readonly autocannon.Request[];

/** The requests that are compared: what the web application asks most, and what it writes. */
export const KINDS = {
  list: () => [{ method: "GET", path: "/api/estimations" }],
  get: (at, { trees }) => [{ method: "GET", path: `/api/estimations/${trees[at % trees.length]?.id}` }],
  write: (at, { trees }) =>
    (trees[at % trees.length]?.bodies ?? []).map((body) => ({
      ...{ method: "PUT", path: `/api/estimations/${trees[at % trees.length]?.id}/tree`, body },
      headers: { "content-type": "application/json" },
    })),
} as const satisfies Readonly<Record<string, Setup>>;

export type Kind = keyof typeof KINDS;

export const NAMES: Readonly<Record<Kind, string>> = {
  list: "GET /api/estimations, 20 of 10,000",
  get: "GET /api/estimations/:id",
  write: "PUT /api/estimations/:id/tree, 29 KB",
};
