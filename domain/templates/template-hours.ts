import { meanOf } from "../tree/hours/distribution.ts";
import type { NodeKind, ThreePoint } from "../tree/shape.ts";

/** What counts of an option. */
interface CountedOption {
  readonly hours?: ThreePoint | null;
  readonly quantity?: number;
  readonly nodes: readonly CountedNode[];
}

/** What counts of a node. */
interface CountedNode {
  readonly kind?: NodeKind;
  readonly required?: boolean;
  readonly options: readonly CountedOption[];
}

/** Expected hours. */
export interface HoursBetween {
  readonly least: number;
  readonly most: number;
}

/**
 * Returns between which expected hours an estimation from a template is, depending on what is chosen in it: a group counts
 * whole; of a `single` node one option counts, of a `multi` node any number, and none where no answer is required. Links between
 * options, `min` and `max` may forbid the ends of the range, but nothing lies outside it.
 */
export const templateHours = ({ nodes }: { readonly nodes: readonly CountedNode[] }): HoursBetween => between(nodes);

function between(nodes: readonly CountedNode[]): HoursBetween {
  const all = nodes.map(ofNode);
  return { least: sum(all.map(({ least }) => least)), most: sum(all.map(({ most }) => most)) };
}

function ofNode({ kind = "group", required = false, options }: CountedNode): HoursBetween {
  const each = options.map(ofOption);
  const [leasts, mosts] = [each.map(({ least }) => least), each.map(({ most }) => most)];
  if (kind === "group") return { least: sum(leasts), most: sum(mosts) };
  const least = required && leasts.length > 0 ? Math.min(...leasts) : 0;
  return { least, most: kind === "single" ? Math.max(0, ...mosts) : sum(mosts) };
}

function ofOption({ hours, quantity = 1, nodes }: CountedOption): HoursBetween {
  const own = hours ? meanOf(hours) : 0;
  const { least, most } = between(nodes);
  return { least: quantity * (own + least), most: quantity * (own + most) };
}

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
