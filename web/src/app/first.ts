import type { FirstQuery } from "../api/ahead.ts";

/** Returns what a page loads first, by the parameters and the query of its address. */
export type First<Search = object> = (address: {
  readonly params: Readonly<Record<"id" | "reviewId" | "roundId" | "deliveryId", string>>;
  readonly search: Search;
}) => readonly FirstQuery[];
