import type { Configuration } from "./configuration.ts";
import { quantileOf, smoothed } from "./distribution.ts";
import { createForecaster, type Forecast, type Forecaster, type Piece } from "./forecast.ts";
import type { Unpacking } from "./packed.ts";

/** A forecast with its quantiles. */
export interface Prediction extends Forecast {
  /** Returns the quantile at a probability. The median is an outcome that was seen; the others are smoothed. */
  quantile(probability: number): number;
}

/** A forecaster that gives quantiles. */
export interface Predictor extends Omit<Forecaster, "forecast"> {
  predict(piece: Piece, options?: { readonly kind?: number; readonly later?: number }): Prediction;
}

/** The probability of the outermost quantile: beyond is what was never seen. */
const EDGE = 1e-6;

/**
 * Both sides of the distribution are kept as the outcomes have them, and are never widened by how far earlier forecasts were
 * off: so a smaller outcome makes no quantile larger. A width that follows the errors of earlier forecasts cannot promise that,
 * because a smaller outcome lowers the forecasts that the later ones are compared with.
 */
export function createPredictor(settings: Configuration, kinds = 1, packed?: Unpacking): Predictor {
  const forecaster = createForecaster(settings, kinds, packed);
  return {
    get size() {
      return forecaster.size;
    },
    get bytes() {
      return forecaster.bytes;
    },
    add: forecaster.add,
    outcomeOf: forecaster.outcomeOf,
    prepare: forecaster.prepare,
    sections: forecaster.sections,
    predict(piece, options) {
      const forecast = forecaster.forecast(piece, options);
      const median = quantileOf(forecast.distribution, 0.5);
      const smooth = smoothed(forecast.distribution);
      // The next outcome is one more than those that are known, and may be the smallest or the largest of all.
      const stretch = settings.width * (1 + 1 / forecast.effective);
      const at = (probability: number) =>
        smooth(Math.min(Math.max(0.5 + (probability - 0.5) * stretch, EDGE), 1 - EDGE));
      return {
        ...forecast,
        quantile(probability) {
          if (probability === 0.5) return median;
          return probability < 0.5 ? Math.min(at(probability), median) : Math.max(at(probability), median);
        },
      };
    },
  };
}
