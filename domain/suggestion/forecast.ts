import type { Configuration } from "./configuration.ts";
import { type Distribution, distributionOf } from "./distribution.ts";
import { withRoom } from "./growing.ts";
import type { Section, Unpacking } from "./packed.ts";
import { solve } from "./solve.ts";
import { topOf } from "./top.ts";
import { createWordIndex, type Vector } from "./word-index.ts";
import type { Words } from "./words.ts";

/** What is known about a piece of work before it is done. */
export interface Piece {
  readonly words: Words;
  /** A number for the role; 0: none. */
  readonly role: number;
  /** Estimated hours; null: not estimated. */
  readonly size: number | null;
}

/** What is expected of a piece. */
export interface Forecast {
  readonly distribution: Distribution;
  /** How many pieces with equal weights would be as many as those that it rests on (Kish). */
  readonly effective: number;
  /** The most similar finished pieces, by number, and the cosine of their words with the piece's. */
  readonly nearest: readonly { readonly piece: number; readonly similarity: number }[];
}

/**
 * Finished pieces of work in order of time, and what they say about others. A piece is added at the end, at a cost that depends on its words only.
 *
 * The forecast is a Gaussian process (kernel ridge regression) on the cumulative distribution of the outcomes, solved for
 * the pieces nearest to the question: the most similar ones and the latest ones. Its solution is a weight for each of
 * them, where it is above 0; what remains to 1 is shared by all pieces alike. The weights do not depend on the outcomes: so a
 * smaller outcome makes no quantile larger.
 */
export interface Forecaster {
  readonly size: number;
  readonly bytes: number;
  /** Prepares, in steps, what the next forecast, for a piece with these words, would otherwise do at once. */
  prepare(words?: Words): Generator<void, void>;
  /** Returns the sections from which `createForecaster` restores the forecaster. */
  sections(): Section[];
  /** Adds a piece with its outcomes, one of each kind. */
  add(piece: Piece, ...outcomes: readonly number[]): void;
  /** Forecasts one kind of outcome. `later`: the number of pieces finished since, unknown to the forecaster. */
  forecast(piece: Piece, options?: { readonly kind?: number; readonly later?: number }): Forecast;
  outcomeOf(piece: number, kind?: number): number;
}

const NEAREST = 10;
/** Distances in time from which on an exponential counts as nothing, in multiples of its reach. */
const FADED = 12;

/** Returns what `strength(distance)` gives for whole distances, from a table. */
function table(reach: number, strength: (distance: number) => number): (distance: number) => number {
  const length = Math.ceil(reach * FADED);
  const values = Float64Array.from({ length }, (_, distance) => strength(distance));
  const last = strength(Number.POSITIVE_INFINITY);
  return (distance) => (distance < length ? (values[distance] as number) : last);
}

interface Query {
  readonly vector: Vector;
  readonly titleLength: number;
  readonly descriptionLength: number;
  readonly role: number;
  readonly logSize: number;
}

/** A kind of outcome of all pieces. */
interface Outcomes {
  values: Float64Array<ArrayBuffer>;
  /** The pieces in rising order of the value. */
  order: Int32Array<ArrayBuffer>;
}

/** Creates a forecaster of pieces that have `kinds` outcomes each: without pieces, or as it was when its sections were taken. */
export function createForecaster(settings: Configuration, kinds = 1, packed?: Unpacking): Forecaster {
  const { batch, batchReach, phase, phaseReach, common, nearness, nearnessReach } = settings;
  const index = createWordIndex(packed);
  const inTime = table(
    Math.max(batchReach, phaseReach),
    (distance) => common + batch * Math.exp(-distance / batchReach) + phase * Math.exp(-distance / phaseReach),
  );
  const factor = table(nearnessReach, (distance) => 1 + nearness * Math.exp(-distance / nearnessReach));
  const outcomes: Outcomes[] = Array.from({ length: kinds }, () => ({
    ...{ values: packed?.float64() ?? new Float64Array(64), order: packed?.int32() ?? new Int32Array(64) },
  }));
  let titleLengths = packed?.float64() ?? new Float64Array(64);
  let descriptionLengths = packed?.float64() ?? new Float64Array(64);
  let roles = packed?.int32() ?? new Int32Array(64);
  let logSizes = packed?.float64() ?? new Float64Array(64);
  let scores = new Float64Array(Math.max(index.size, 64));
  let shares = new Float64Array(Math.max(index.size, 64));
  let dense = new Float64Array(Math.max(index.terms, 1_024));
  const most = settings.similar + settings.recent;
  const matrix = new Float64Array(most * most);
  const weights = new Float64Array(most);

  const valuesOf = (kind: number) => outcomes[kind] as Outcomes;

  const insert = (into: Outcomes, piece: number, value: number) => {
    into.values = withRoom(into.values, piece + 1);
    into.order = withRoom(into.order, piece + 1);
    const { values, order } = into;
    let [low, high] = [0, piece];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[order[middle] as number] as number) <= value) low = middle + 1;
      else high = middle;
    }
    values[piece] = value;
    order.copyWithin(low + 1, low, piece);
    order[low] = piece;
  };

  const lengthOf = (words: number, scale: number) => Math.log1p(words) / scale;

  /** How similar two pieces are apart from their words: lengths, roles, sizes. */
  const alike = (a: Omit<Query, "vector">, piece: number) => {
    const byTitle = a.titleLength - (titleLengths[piece] as number);
    const byDescription = a.descriptionLength - (descriptionLengths[piece] as number);
    let sum = settings.length * Math.exp(-(byTitle * byTitle + byDescription * byDescription) / 2);
    if (a.role !== 0 && a.role === roles[piece]) sum += settings.role;
    const bySize = a.logSize - (logSizes[piece] as number);
    // Not a number where one of both has no size.
    if (!Number.isNaN(bySize)) sum += settings.size * Math.exp((-bySize * bySize) / 2);
    return sum;
  };

  const featuresOf = (piece: number): Omit<Query, "vector"> => ({
    titleLength: titleLengths[piece] as number,
    descriptionLength: descriptionLengths[piece] as number,
    role: roles[piece] as number,
    logSize: logSizes[piece] as number,
  });

  /** Weighs the chosen pieces: the solution of the Gaussian process at the question. */
  const weigh = (query: Query, now: number, chosen: Int32Array) => {
    const size = chosen.length;
    for (let row = 0; row < size; row += 1) {
      const piece = chosen[row] as number;
      const vector = index.vectorOf(piece);
      const own = featuresOf(piece);
      index.spread(vector, dense);
      for (let column = 0; column <= row; column += 1) {
        const other = chosen[column] as number;
        const cosine = column === row ? 1 : index.dot(other, dense);
        const distance = piece - other;
        matrix[row * most + column] =
          (settings.words * cosine + alike(own, other)) * factor(distance) + inTime(distance);
      }
      (matrix[row * most + row] as number) += settings.noise;
      index.clear(vector, dense);
      const distance = now - piece;
      weights[row] =
        (settings.words * (scores[piece] as number) + alike(query, piece)) * factor(distance) + inTime(distance);
    }
    solve(matrix, most, weights, size);
  };

  /** Gives all `before` pieces the same share of the probability that the chosen ones leave. No share is negative. */
  const share = (before: number, later: number, chosen: Int32Array) => {
    // The longer ago, the less similarity and closeness in time count.
    const holds = Math.exp((-settings.staleness * later) / before);
    let rest = 1;
    for (let at = 0; at < chosen.length; at += 1) {
      weights[at] = Math.max((weights[at] as number) * holds, 0);
      rest -= weights[at] as number;
    }
    shares.fill(Math.max(rest, 0) / before, 0, before);
    // The chosen ones may ask for more than there is.
    const part = 1 / Math.max(1 - rest, 1);
    for (let at = 0; at < chosen.length; at += 1)
      (shares[chosen[at] as number] as number) += part * (weights[at] as number);
  };

  const response = (query: Query, kind: number, before: number, later: number): Forecast => {
    index.compare(query.vector, before, scores);
    const now = before + later;
    const first = Math.max(0, before - settings.recent);
    const similar = topOf(first, settings.similar, (piece) => {
      const score = scores[piece] as number;
      return score > 0 ? score * factor(now - piece) : 0;
    });
    const chosen = Int32Array.from([...similar.sort((a, b) => a - b), ...Array(before - first).keys()], (piece, at) =>
      at < similar.length ? piece : first + piece,
    );
    weigh(query, now, chosen);
    share(before, later, chosen);
    const known = valuesOf(kind);
    const [values, probabilities] = [new Float64Array(before), new Float64Array(before)];
    let [at, squares] = [0, 0];
    for (let place = 0; place < index.size; place += 1) {
      const piece = known.order[place] as number;
      if (piece >= before) continue;
      const weight = shares[piece] as number;
      values[at] = known.values[piece] as number;
      probabilities[at] = weight;
      squares += weight * weight;
      at += 1;
    }
    const nearest = Array.from(chosen)
      .sort((a, b) => (scores[b] as number) - (scores[a] as number) || b - a)
      .slice(0, NEAREST)
      .map((piece) => ({ piece, similarity: scores[piece] as number }));
    return { distribution: distributionOf(values, probabilities), effective: 1 / squares, nearest };
  };

  const featuresFrom = ({ words, role, size }: Piece): Omit<Query, "vector"> => ({
    titleLength: lengthOf(words.titleLength, settings.titleLengthScale),
    descriptionLength: lengthOf(words.descriptionLength, settings.descriptionLengthScale),
    role,
    logSize: size === null || size <= 0 ? Number.NaN : Math.log(size) / settings.sizeScale,
  });

  return {
    get size() {
      return index.size;
    },
    get bytes() {
      const arrays = [
        ...outcomes.flatMap(({ values, order }) => [values, order]),
        ...[titleLengths, descriptionLengths, roles, logSizes, scores, shares, dense, matrix],
      ];
      return arrays.reduce((sum, { byteLength }) => sum + byteLength, index.bytes);
    },
    outcomeOf: (piece, kind = 0) => valuesOf(kind).values[piece] as number,

    prepare: index.prepare,

    sections() {
      const { size } = index;
      return [
        ...index.sections(),
        ...outcomes.flatMap(({ values, order }) => [values.subarray(0, size), order.subarray(0, size)]),
        ...[titleLengths.subarray(0, size), descriptionLengths.subarray(0, size)],
        ...[roles.subarray(0, size), logSizes.subarray(0, size)],
      ];
    },

    add(piece, ...values) {
      const at = index.size;
      const features = featuresFrom(piece);
      index.add(piece.words);
      titleLengths = withRoom(titleLengths, at + 1);
      descriptionLengths = withRoom(descriptionLengths, at + 1);
      roles = withRoom(roles, at + 1);
      logSizes = withRoom(logSizes, at + 1);
      scores = withRoom(scores, at + 1);
      shares = withRoom(shares, at + 1);
      dense = withRoom(dense, index.terms);
      for (const [kind, into] of outcomes.entries()) insert(into, at, values[kind] as number);
      titleLengths[at] = features.titleLength;
      descriptionLengths[at] = features.descriptionLength;
      roles[at] = features.role;
      logSizes[at] = features.logSize;
    },

    forecast(piece, { kind = 0, later = 0 } = {}) {
      return response({ ...featuresFrom(piece), vector: index.vectorFrom(piece.words) }, kind, index.size, later);
    },
  };
}
