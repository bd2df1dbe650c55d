import { resultOf } from "../steps.ts";
import { addUp, type Hours, levelAt, quantilesAt } from "./levels.ts";
import type { AskedModel } from "./model-question.ts";
import type { Part, Suggested } from "./suggest.ts";

/** The maximum weight of a language model, in the logarithm of the hours: finished tasks never count less. */
const WEIGHT_MOST = 0.5;
/** The prior: this many finished tasks are assumed to have taken what the model says, … */
const COMPARED_PRIOR = 3;
/** … and by how much the logarithm of its hours is assumed to be off (standard deviation). */
const SPREAD_PRIOR = 0.9;

/**
 * How good a language model is for a team: the factor by which work takes longer than it says, and how far it is off
 * (in logarithms).
 */
interface Worth {
  readonly factor: number;
  readonly spread: number;
}

/** Compares a model's hours for finished tasks with the actual ones. */
function worthOf(said: readonly number[], took: readonly number[]): Worth {
  const offs = took.map((hours, at) => Math.log(hours / (said[at] as number))).sort((a, b) => a - b);
  const count = offs.length;
  const [lower = 0, upper = 0] = [offs[(count - 1) >> 1], offs[count >> 1]];
  const shift = ((lower + upper) / 2) * (count / (count + COMPARED_PRIOR));
  const squares = offs.reduce((sum, off) => sum + (off - shift) ** 2, COMPARED_PRIOR * SPREAD_PRIOR ** 2);
  return { factor: Math.exp(shift), spread: Math.sqrt(squares / (count + COMPARED_PRIOR)) };
}

/** The distance of P10 and P90 of a normal distribution, in standard deviations. */
const TWO_SIDES = 2 * 1.2816;

/** Moves the hours of an option towards the model's, their median within its P1 and P99; how they spread stays. */
function moved({ hours, least, most }: Part, said: number, { factor, spread }: Worth): Hours {
  const own = Math.log(levelAt(hours, 0.9) / levelAt(hours, 0.1)) / TWO_SIDES;
  // Both weigh as their variances say, as two independent measurements would.
  const weight = Math.min(own ** 2 / (own ** 2 + spread ** 2), WEIGHT_MOST);
  const median = levelAt(hours, 0.5);
  const told = Math.min(Math.max(said * factor, least), most);
  return { ...hours, times: hours.times * (told / median) ** weight };
}

/**
 * Blends the hours of a language model into a suggestion. `said` are its hours for every item of the question, above 0.
 * They are corrected by its accuracy on finished tasks, clamped to each option's P1 and P99, and count for at most
 * half.
 */
export function blend(local: Suggested, asked: AskedModel, said: readonly number[], correlation: number): Suggested {
  const { basis } = local;
  if (basis === null) return local;
  const worth = worthOf(said.slice(asked.options.length), asked.compared);
  const told = new Map(asked.options.map((part, at) => [part, said[at] as number]));
  const parts = basis.parts.map((part) => {
    const hours = told.get(part);
    return hours === undefined ? part.hours : moved(part, hours, worth);
  });
  return {
    ...local,
    rung: 4,
    hours: quantilesAt(resultOf(addUp([...parts, ...basis.others], correlation))),
    perOption: local.perOption.map((option, at) => {
      const part = basis.parts[at];
      return part && told.has(part) ? { ...option, rung: 4, hours: quantilesAt(parts[at] ?? part.hours) } : option;
    }),
  };
}
