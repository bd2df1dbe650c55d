import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { configuration } from "./configuration.ts";
import { distributionOf, quantileOf, smoothed } from "./distribution.ts";
import { createEvidence, type FinishedTask } from "./evidence.ts";
import { createForecaster, type Piece } from "./forecast.ts";
import { createPieceWords } from "./piece-words.ts";
import { createPredictor } from "./predict.ts";
import { solve } from "./solve.ts";
import { topOf } from "./top.ts";
import { createWordIndex } from "./word-index.ts";
import { wordsOf } from "./words.ts";

const vocabulary = "login export invoice report button crash upgrade search filter migration payment cache".split(" ");
const title = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
const finished = fc.record({ title, outcome: fc.constantFrom(1, 2, 3, 5, 8, 13) });
const pieceOf = (text: string): Piece => ({ words: wordsOf(text, ""), role: 0, size: null });

describe("words of a text", () => {
  const same = (a: string, b: string) => expect(wordsOf(a, "").hashes).toEqual(wordsOf(b, "").hashes);

  it("are the same in any case, with common endings, and joined as in code", () => {
    same("Fixed failing exports", "fix fail export");
    same("openUserPanel", "open user panel");
    same("ÜBERSICHT", "übersicht");
  });

  it("count double in the title, and leave out the most common ones", () => {
    expect(wordsOf("the login", "")).toEqual(wordsOf("login", ""));
    expect(wordsOf("login", "").weights[0]).toBeCloseTo(1 + Math.log(2));
    expect(wordsOf("", "login").weights[0]).toBe(1);
  });

  it("are single characters in scripts without spaces between words", () => {
    expect(wordsOf("ログイン画面", "").titleLength).toBe(6);
  });

  it("are the first 400 of a description", () => {
    const long = Array.from({ length: 500 }, (_, at) => `word${at}x`).join(" ");
    expect(wordsOf("", long).descriptionLength).toBe(400);
  });

  test("any text has words in rising order, without repetition", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (first, second) => {
        const { hashes, weights } = wordsOf(first, second);
        expect(hashes).toEqual(Int32Array.from(new Set(hashes)).sort());
        expect(weights.every((weight) => weight >= 1)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

describe("the index of words", () => {
  test("gives the cosine of the vectors, by either way of computing it", () => {
    fc.assert(
      fc.property(fc.array(title, { minLength: 1, maxLength: 30 }), title, (titles, asked) => {
        const index = createWordIndex();
        for (const text of titles) index.add(wordsOf(text, ""));
        const query = index.vectorFrom(wordsOf(asked, ""));
        const scores = new Float64Array(titles.length);
        index.compare(query, titles.length, scores);
        const dense = new Float64Array(index.terms);
        index.spread(query, dense);
        titles.forEach((_, piece) => {
          const { terms, weights } = index.vectorOf(piece);
          const plain = terms.reduce((sum, term, at) => {
            const other = query.terms.indexOf(term);
            return sum + (other < 0 ? 0 : (weights[at] ?? 0) * (query.weights[other] ?? 0));
          }, 0);
          expect(scores[piece]).toBeCloseTo(plain, 5);
          expect(index.dot(piece, dense)).toBeCloseTo(plain, 5);
          expect(scores[piece]).toBeLessThan(1.00001);
        });
      }),
    );
  });

  test("knows a limited number of words, the first ones, and treats later ones as unknown", () => {
    const knownWith = (most: number) => {
      const index = createWordIndex(undefined, most);
      for (const text of ["login", "invoice", "cache", "login"]) index.add(wordsOf(text, ""));
      const scores = new Float64Array(4);
      index.compare(index.vectorFrom(wordsOf("", "login invoice cache")), 4, scores);
      return [index.terms, ...Array.from(scores, (score) => score > 0)];
    };
    expect(knownWith(3)).toEqual([3, true, true, true, true]);
    expect(knownWith(2)).toEqual([2, true, true, false, true]);
  });

  test("pieces with the same words have the cosine 1, as long as their words are not in every piece", () => {
    const index = createWordIndex();
    for (const text of ["login page", "invoice export", "login page", "cache"]) index.add(wordsOf(text, ""));
    const scores = new Float64Array(4);
    index.compare(index.vectorFrom(wordsOf("login page", "")), 4, scores);
    expect(scores[0]).toBeCloseTo(1);
    expect(scores[1]).toBe(0);
    expect(scores[2]).toBeCloseTo(1);
  });
});

describe("a distribution", () => {
  const weighted = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.double({ min: 0.01, max: 1, noNaN: true })), {
    minLength: 1,
    maxLength: 40,
  });
  const distributionFrom = (pairs: readonly (readonly [number, number])[]) => {
    const sorted = pairs.toSorted(([a], [b]) => a - b);
    const sum = sorted.reduce((all, [, weight]) => all + weight, 0);
    return distributionOf(
      Float64Array.from(sorted, ([value]) => value),
      Float64Array.from(sorted, ([, weight]) => weight / sum),
    );
  };
  const probabilities = [0.01, 0.1, 0.3, 0.5, 0.9, 0.99];

  test("rises to 1, and so do its quantiles, smoothed or not", () => {
    fc.assert(
      fc.property(weighted, (pairs) => {
        const distribution = distributionFrom(pairs);
        const { atMost, values } = distribution;
        expect(atMost.at(-1)).toBe(1);
        expect(atMost.every((part, at) => part >= (atMost[at - 1] ?? 0) && part <= 1)).toBe(true);
        const smooth = smoothed(distribution);
        for (const quantiles of [
          probabilities.map((part) => quantileOf(distribution, part)),
          probabilities.map(smooth),
        ])
          expect(quantiles).toEqual(quantiles.toSorted((a, b) => a - b));
        // Beyond what was seen by no more than the smoothing.
        expect(smooth(0.01)).toBeGreaterThan(0.83 * (values[0] ?? 0));
        expect(smooth(0.99)).toBeLessThan(1.2 * (values.at(-1) ?? 0));
      }),
    );
  });

  test("has no larger quantile, smoothed or not, if one of its outcomes is smaller", () => {
    fc.assert(
      fc.property(weighted, fc.nat(), fc.double({ min: 0.01, max: 1, noNaN: true }), (pairs, which, part) => {
        const less = pairs.map(
          ([value, weight], at) => [value * (at === which % pairs.length ? part : 1), weight] as const,
        );
        const [before, after] = [distributionFrom(pairs), distributionFrom(less)];
        for (const probability of probabilities) {
          expect(quantileOf(after, probability)).toBeLessThanOrEqual(quantileOf(before, probability));
          const most = smoothed(before)(probability) * (1 + 1e-9);
          expect(smoothed(after)(probability)).toBeLessThanOrEqual(most);
        }
      }),
    );
  });

  test("is that of the sample if all weights are equal", () => {
    const sample = distributionOf(Float64Array.of(1, 2, 2, 8), Float64Array.of(0.25, 0.25, 0.25, 0.25));
    expect([0.25, 0.26, 0.75, 0.76].map((part) => quantileOf(sample, part))).toEqual([1, 2, 2, 8]);
    // Of equal outcomes half counts as less.
    expect([0.124, 0.126, 0.5, 0.874].map((part) => Math.round(smoothed(sample)(part)))).toEqual([1, 1, 2, 8]);
  });

  it("holds what is beyond the places at which it is smoothed", () => {
    const far = distributionOf(Float64Array.of(1e-9, 1e12), Float64Array.of(0.5, 0.5));
    expect([0.1, 0.9].map(smoothed(far)).every((value) => value > 0 && Number.isFinite(value))).toBe(true);
  });
});

test("the solution of a system solves it", () => {
  const numbers = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(numbers, (given) => {
      const [rows, size] = [given.slice(0, 16), 4];
      const matrix = new Float64Array(16);
      for (let row = 0; row < size; row += 1)
        for (let column = 0; column < size; column += 1)
          for (let at = 0; at < size; at += 1)
            (matrix[row * size + column] as number) += (rows[row * size + at] ?? 0) * (rows[column * size + at] ?? 0);
      for (let row = 0; row < size; row += 1) (matrix[row * size + row] as number) += 1;
      const wanted = given.slice(16);
      const right = Float64Array.from(wanted, (_, row) =>
        wanted.reduce((sum, value, column) => sum + (matrix[row * size + column] ?? 0) * value, 0),
      );
      solve(matrix.slice(), size, right, size);
      for (const [at, value] of wanted.entries()) expect(right[at]).toBeCloseTo(value, 6);
    }),
  );
});

test("the top of a list is that of sorting it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -2, max: 6 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (all, most) => {
        const sorted = [...all.keys()]
          .filter((at) => (all[at] ?? 0) > 0)
          .sort((a, b) => (all[b] ?? 0) - (all[a] ?? 0) || b - a)
          .slice(0, most);
        expect(topOf(all.length, most, (at) => all[at] ?? 0).sort((a, b) => a - b)).toEqual(
          sorted.sort((a, b) => a - b),
        );
      },
    ),
  );
});

describe("a forecast", () => {
  const history = fc.array(finished, { minLength: 1, maxLength: 150 });

  test("is the same to the last bit, whether its history grew with questions between or was built at once", () => {
    fc.assert(
      fc.property(history, title, (pieces, asked) => {
        const [grown, built] = [createPredictor(configuration), createPredictor(configuration)];
        pieces.forEach(({ title: text, outcome }, at) => {
          grown.add(pieceOf(text), outcome);
          if (at % 7 === 0) grown.predict(pieceOf(asked));
        });
        for (const { title: text, outcome } of pieces) built.add(pieceOf(text), outcome);
        const all = [0.1, 0.5, 0.8, 0.9];
        const [a, b] = [grown.predict(pieceOf(asked)), built.predict(pieceOf(asked))];
        expect(a.distribution).toEqual(b.distribution);
        expect(a.nearest).toEqual(b.nearest);
        expect(all.map(a.quantile)).toEqual(all.map(b.quantile));
      }),
      { numRuns: 20 },
    );
  });

  test("has a median that was seen, with rising quantiles", () => {
    fc.assert(
      fc.property(history, title, (pieces, asked) => {
        const predictor = createPredictor(configuration);
        for (const { title: text, outcome } of pieces) predictor.add(pieceOf(text), outcome);
        const { quantile } = predictor.predict(pieceOf(asked));
        const said = [0.1, 0.5, 0.8, 0.9].map(quantile);
        expect(said).toEqual([...said].sort((a, b) => a - b));
        expect(pieces.map(({ outcome }) => outcome)).toContain(said[1]);
      }),
      { numRuns: 20 },
    );
  });

  it("follows the words: a piece that resembles the large ones is expected to be large", () => {
    const forecaster = createForecaster(configuration);
    for (let at = 0; at < 60; at += 1) {
      forecaster.add(pieceOf(at % 2 === 0 ? `migrate payment ${at}` : `button colour ${at}`), at % 2 === 0 ? 13 : 1);
    }
    const median = (text: string) => quantileOf(forecaster.forecast(pieceOf(text)).distribution, 0.5);
    expect([median("migrate payment"), median("button colour")]).toEqual([13, 1]);
  });

  it("follows the latest pieces if nothing is similar", () => {
    const forecaster = createForecaster(configuration);
    for (let at = 0; at < 120; at += 1) forecaster.add(pieceOf(vocabulary[at % 5] ?? ""), at < 90 ? 2 : 8);
    expect(quantileOf(forecaster.forecast(pieceOf("unheard of")).distribution, 0.5)).toBe(8);
  });
});

test("evidence that was stored and read, prepared in steps or not, gives the same result to the last bit", () => {
  const task = fc.record({ title, hours: fc.constantFrom(1, 2, 3, 5, 8, 13) });
  const history = fc.array(task, { minLength: 1, maxLength: 120 });
  fc.assert(
    fc.property(history, fc.nat(), fc.array(title, { minLength: 1, maxLength: 8 }), (tasks, at, questions) => {
      const finished = tasks.map((one, number): FinishedTask => {
        const hours = { estimatedHours: one.hours, actualHours: 1 + (number % 7) };
        return { id: `task ${number}`, title: one.title, description: `${one.title} again`, role: null, ...hours };
      });
      const storedAt = at % (finished.length + 1);
      const [early, built] = [createEvidence(), createEvidence()];
      for (const one of finished.slice(0, storedAt)) early.add(one);
      const read = createEvidence(Uint8Array.from([...early.pack(64)].flatMap((chunk) => [...chunk])).buffer);
      for (const one of finished.slice(storedAt)) read.add(one);
      for (const one of finished) built.add(one);
      expect(read.ids).toEqual(built.ids);
      for (const [number, text] of questions.entries()) {
        const hours = number % 2 === 0 ? 5 : null;
        const work = { optionId: "", title: text, description: "login", role: null, hours };
        if (number % 3 > 0) for (const _ of read.prepare(work)) expect(read.size).toBe(finished.length);
        const [a, b] = [read.expect(work), built.expect(work)];
        expect(a.analogs).toEqual(b.analogs);
        const all = [0.01, 0.1, 0.5, 0.9, 0.99];
        expect(all.map(a.quantile)).toEqual(all.map(b.quantile));
      }
    }),
    { numRuns: 20 },
  );
});

test("the words of pieces are read as they were added, whatever their numbers and counts", () => {
  const word = fc.record({ term: fc.nat({ max: 2 ** 26 }), count: fc.integer({ min: 1, max: 255 }) });
  fc.assert(
    fc.property(fc.array(fc.array(word, { maxLength: 2_000, size: "medium" }), { maxLength: 20 }), (pieces) => {
      const words = createPieceWords();
      for (const piece of pieces) {
        const counts = Uint8Array.from(piece, ({ count }) => count);
        words.add(
          Int32Array.from(piece, ({ term }) => term),
          counts,
        );
      }
      const read = pieces.map((_, piece) => {
        const length = words.read(piece);
        return Array.from(words.terms.subarray(0, length), (term, at) => ({ term, count: words.counts[at] }));
      });
      expect(read).toEqual(pieces);
    }),
    { numRuns: 30 },
  );
});
