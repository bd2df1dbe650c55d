/**
 * `node bench/suggestion/speed.ts`: how long a suggestion for one option takes with 5,000 and 50,000 finished tasks, beside a
 * plain comparison of the same vectors one by one; and what a process does that has not read the tasks yet. Exits with 1 if
 * a target is missed.
 */
import { configuration } from "../../domain/suggestion/configuration.ts";
import { createPredictor } from "../../domain/suggestion/predict.ts";
import { createWordIndex, type Vector } from "../../domain/suggestion/word-index.ts";
import { wordsOf } from "../../domain/suggestion/words.ts";
import { report } from "../result.ts";
import { median, timed } from "../timing.ts";
import { createRandom } from "./random.ts";

/** For each number of tasks the longest time of a suggestion, in milliseconds. */
const SIZES = [
  { tasks: 5_000, most: 10 },
  { tasks: 50_000, most: 100 },
];
/** The most that a suggestion may take, as a multiple of the plain comparison. */
const OF_PLAIN_MOST = 1.5;
const ROUNDS = 21;
/** Words of a task: about those of an issue with a title and a short description. */
const [TITLE_WORDS, DESCRIPTION_WORDS] = [8, 90];
const VOCABULARY = 20_000;

const random = createRandom(1);
/** A word by its frequency, which falls with its rank as in natural language. */
const word = () => `w${Math.floor(VOCABULARY ** random()).toString(36)}x`;
const text = (words: number) => Array.from({ length: words }, word).join(" ");
const taskTexts = (tasks: number) =>
  Array.from({ length: tasks }, () => ({ title: text(TITLE_WORDS), description: text(DESCRIPTION_WORDS) }));
const pieceOf = ({ title, description }: { title: string; description: string }) => ({
  ...{ words: wordsOf(title, description), role: 0, size: 8 },
});

let missed = 0;
for (const { tasks, most } of SIZES) {
  const texts = taskTexts(tasks);
  const outcomes = texts.map(() => Math.exp(random() * 2 - 1));
  let predictor = createPredictor(configuration);
  const build = () => {
    predictor = createPredictor(configuration);
    for (const [at, given] of texts.entries()) predictor.add(pieceOf(given), outcomes[at] ?? 1);
    return predictor.predict(pieceOf(texts[0] ?? { title: "", description: "" })).quantile(0.5);
  };
  build();
  const cold = timed(build);
  const index = createWordIndex();
  for (const given of texts) index.add(wordsOf(given.title, given.description));
  const vectors = texts.map((_, at) => index.vectorOf(at));
  const dense = new Float64Array(index.terms);
  const plain = ({ terms, weights }: Vector): number => {
    terms.forEach((term, at) => {
      dense[term] = weights[at] ?? 0;
    });
    let [best, highest] = [0, -1];
    for (let at = 0; at < vectors.length; at += 1) {
      const vector = vectors[at] as Vector;
      let sum = 0;
      for (let place = 0; place < vector.terms.length; place += 1) {
        sum += (vector.weights[place] as number) * (dense[vector.terms[place] as number] as number);
      }
      if (sum > highest) [best, highest] = [at, sum];
    }
    for (const term of terms) dense[term] = 0;
    return best;
  };
  const asked = taskTexts(ROUNDS + 5);
  const times = { own: [] as number[], plain: [] as number[], added: [] as number[] };
  for (const [round, question] of asked.entries()) {
    const added = timed(() => predictor.add(pieceOf(question), 1));
    predictor.predict(pieceOf(question));
    const own = timed(() => predictor.predict(pieceOf(question)).quantile(0.5));
    const query = index.vectorFrom(wordsOf(question.title, question.description));
    const others = timed(() => plain(query));
    // The first rounds are warm-up for the compiler.
    if (round < 5) continue;
    times.own.push(own);
    times.plain.push(others);
    times.added.push(added);
  }
  const [own, others] = [median(times.own), median(times.plain)];
  const ratio = own / others;
  if (own > most) missed += 1;
  report({
    name: `suggestion, ${tasks} finished tasks`,
    reference: "plain cosine of the same vectors",
    unit: "ms",
    ours: own,
    theirs: others,
    ratio,
    target: { most: OF_PLAIN_MOST },
  });
  console.log(`  at most ${most} ms wanted${own > most ? "  MISSED" : ""}`);
  console.log(
    `  one task more ${median(times.added).toFixed(3)} ms; from texts alone ${cold.toFixed(0)} ms, ${(cold / own).toFixed(0)} times; ${(predictor.bytes / 2 ** 20).toFixed(1)} MiB`,
  );
}
if (missed > 0) process.exitCode = 1;
