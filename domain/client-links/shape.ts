import type { ShownFigures, ShownPercentile } from "../../contract/values/client-links.ts";
import type { NodeKind, ThreePoint } from "../tree/shape.ts";

/** What a link shows of a content. */
export interface LinkSettings {
  readonly shows: ShownFigures;
  readonly percentile: ShownPercentile;
  readonly choices: boolean;
  readonly descriptions: boolean;
  /** What figures are multiples of, with at most two decimals. */
  readonly step: number;
}

/** Figures in whole steps: sums of them are exact. */
export interface Units {
  readonly figure: number;
  readonly low: number;
  readonly high: number;
}

/** An option as it was published. */
export interface PublishedOption {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly selected: boolean;
  /** What it adds where it counts, with the fixed scope below it; null where nothing can be chosen about it. */
  readonly units: Units | null;
  /** Its own hours in whole steps, where they are shown. */
  readonly points: ThreePoint | null;
  /** Kept to judge what a client chooses; never shown. */
  readonly requires: readonly string[];
  readonly excludes: readonly string[];
  readonly nodes: readonly PublishedNode[];
}

export interface PublishedNode {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly kind: NodeKind;
  readonly required: boolean;
  readonly min: number | null;
  readonly max: number | null;
  readonly options: readonly PublishedOption[];
}

/** Everything that the page of a link is made from. It has no rate, and no hours that the page does not show. */
export interface Published {
  readonly title: string;
  readonly description: string | null;
  /** Written for clients, so they are shown always. Undefined: published before there were any. */
  readonly assumptions?: string | null;
  readonly currency: string | null;
  /** What counts whatever is chosen. */
  readonly fixed: Units;
  readonly nodes: readonly PublishedNode[];
}
