import { resultOf } from "../steps.ts";
import type { Configuration } from "./configuration.ts";
import { type Distribution, probabilityBelow, probabilityOf, quantileOf } from "./distribution.ts";
import { createForecaster, type Forecast, type Forecaster, type Piece } from "./forecast.ts";
import type { Section, Unpacking } from "./packed.ts";
import type { Words } from "./words.ts";

/** A forecast whose interval is as wide as the latest pieces required. */
export interface Prediction extends Forecast {
  /** Returns the quantile at a probability; 0.1 and 0.9 enclose 80 % of the pieces, by the experience of the latest. */
  quantile(probability: number): number;
}

/** A forecaster that compares each finished piece with the forecast for it. */
export interface Predictor extends Pick<Forecaster, "size" | "bytes" | "add" | "outcomeOf"> {
  /**
   * Compares the latest pieces with their forecasts, one at each step, and does what else the next prediction, for a piece with
   * these words, would have to do at once.
   */
  prepare(kind?: number, words?: Words): Generator<void, void>;
  /** Returns the sections from which `createPredictor` restores the predictor. */
  sections(): Section[];
  predict(piece: Piece, options?: { readonly kind?: number; readonly later?: number }): Prediction;
}

/** Pieces that have to be known before one is forecast for comparison. */
const KNOWN_LEAST = 10;
/** The share of outcomes that the interval shall hold. */
const HELD = 0.8;

/**
 * The interval is split-conformal, in order of time: the latest pieces are forecast from those before each of them, and
 * for each the width is noted at which the central interval would have just held its outcome. The interval of the next
 * one is as wide as four fifths of them needed (Chernozhukov, Wüthrich and Zhu, PNAS 2021, with quantiles instead of
 * permutations). Where the latest outcomes are not known, about as many are left out in this comparison. Until enough
 * are known, the forecast's own width counts as some of them.
 */
export function createPredictor(settings: Configuration, kinds = 1, packed?: Unpacking): Predictor {
  const forecaster = createForecaster(settings, kinds, packed);
  // For each kind the width of each piece by number; it is valid as long as words are weighted as they were then.
  const widthsOf = Array.from({ length: kinds }, () => {
    const [pieces, widths] = [packed?.int32() ?? [], packed?.float64() ?? []];
    return new Map<number, number>(Array.from(pieces, (piece, at) => [piece, widths[at] as number]));
  });
  let counted = packed ? forecaster.countedWords : 0;

  /** The first of the latest pieces. */
  const firstOfLatest = () => Math.max(KNOWN_LEAST, forecaster.size - settings.calibration);

  const widthsNow = (kind: number): Map<number, number> => {
    if (forecaster.countedWords !== counted) for (const known of widthsOf) known.clear();
    counted = forecaster.countedWords;
    return widthsOf[kind] as Map<number, number>;
  };

  function* missing(kind: number): Generator<void, number[]> {
    const widths = widthsNow(kind);
    const seen: number[] = [];
    for (let piece = firstOfLatest(); piece < forecaster.size; piece += 1) {
      let width = widths.get(piece);
      if (width === undefined) {
        width = widthOf(forecaster.forecastAgain(piece, { kind }).distribution, forecaster.outcomeOf(piece, kind));
        widths.set(piece, width);
        yield;
      }
      seen.push(width);
    }
    return seen;
  }

  const widthFrom = (seen: readonly number[]) => widthHolding(seen, HELD, settings.calibrationPrior);
  const widthNow = (kind: number): number => widthFrom(resultOf(missing(kind)));

  // The last width for a question with unknown pieces between, and what it is for.
  let late = { name: "", width: 0 };
  const widthAfter = (kind: number, gap: number): number => {
    const { size, countedWords } = forecaster;
    const name = [kind, gap, size, countedWords].join();
    if (late.name === name) return late.width;
    const seen: number[] = [];
    for (let piece = Math.max(KNOWN_LEAST + gap, size - settings.calibration); piece < size; piece += 1) {
      const { distribution } = forecaster.forecastAgain(piece, { kind, later: gap });
      seen.push(widthOf(distribution, forecaster.outcomeOf(piece, kind)));
    }
    late = { name, width: widthFrom(seen) };
    return late.width;
  };

  return {
    get size() {
      return forecaster.size;
    },
    get bytes() {
      return forecaster.bytes;
    },
    add: forecaster.add,
    outcomeOf: forecaster.outcomeOf,
    *prepare(kind = 0, words) {
      const widths = widthsNow(kind);
      let forecasts = 1;
      for (let piece = firstOfLatest(); piece < forecaster.size; piece += 1) if (!widths.has(piece)) forecasts += 1;
      yield* forecaster.prepare(forecasts, words);
      yield* missing(kind);
    },
    sections() {
      const valid = counted === forecaster.countedWords;
      return [
        ...forecaster.sections(),
        ...widthsOf.flatMap((all) => {
          const latest = valid ? [...all].filter(([piece]) => piece >= forecaster.size - settings.calibration) : [];
          return [Int32Array.from(latest, ([piece]) => piece), Float64Array.from(latest, ([, width]) => width)];
        }),
      ];
    },
    predict(piece, { kind = 0, later = 0 } = {}) {
      const gap = gapFor(later, forecaster.size);
      const stretch = (gap === 0 ? widthNow(kind) : widthAfter(kind, gap)) / HELD;
      const forecast = forecaster.forecast(piece, { kind, later });
      return {
        ...forecast,
        quantile: (probability) => quantileOf(forecast.distribution, levelAt(probability, stretch)),
      };
    },
  };
}

/**
 * Returns how many pieces are left out when known ones are forecast for comparison with a question that `later` unknown
 * ones lie before: a power of two, so that few gaps have to be compared, and at most half of those known.
 */
const gapFor = (later: number, size: number): number =>
  later === 0 ? 0 : Math.min(2 ** Math.floor(Math.log2(later)), Math.floor(size / 2));

/** Moves a probability away from one half, or nearer to it. */
const levelAt = (probability: number, stretch: number): number =>
  Math.min(Math.max(0.5 + (probability - 0.5) * stretch, 0.001), 0.999);

/** Returns the least probability whose central interval holds the value. */
export function widthOf(distribution: Distribution, value: number): number {
  return Math.max(0, 2 * probabilityBelow(distribution, value) - 1, 1 - 2 * probabilityOf(distribution, value));
}

/**
 * Returns the width that holds this share of the known ones; `prior` further ones are assumed to conform to the share.
 */
export function widthHolding(seen: readonly number[], held: number, prior: number): number {
  const assumed = Array.from({ length: prior }, (_, at) => (at + 0.5) / prior);
  const sorted = [...seen, ...assumed].sort((a, b) => a - b);
  return sorted[Math.min(Math.ceil((sorted.length + 1) * held), sorted.length) - 1] ?? held;
}
