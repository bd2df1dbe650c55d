import { configuration } from "./configuration.ts";
import { createPredictor, type Prediction, type Predictor } from "./predict.ts";
import { wordsOf } from "./words.ts";
import type { Work } from "./work.ts";

/** A task that is done, with the hours that it was estimated to take and did take; both are above 0. */
export interface FinishedTask {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly role: string | null;
  readonly estimatedHours: number;
  readonly actualHours: number;
}

/** A finished task that resembles a piece of work. */
export interface Analog extends Pick<FinishedTask, "estimatedHours" | "actualHours"> {
  readonly taskId: string;
  /** The cosine of the words of both, 0 to 1. */
  readonly similarity: number;
}

/** What is expected of a piece of work, in hours. */
export interface Expected {
  quantile(probability: number): number;
  readonly analogs: readonly Analog[];
}

/** Finished tasks in the order in which they were done; a task more can be added at the end. */
export interface Evidence {
  readonly size: number;
  /** Bytes of memory, roughly. */
  readonly bytes: number;
  add(task: FinishedTask): void;
  /** Does beforehand, in short steps, what the next `expect` for such work would have to do once. */
  prepare(work: Pick<Work, "hours">): Generator<void, void>;
  expect(work: Work): Expected;
}

/** The kinds of outcome: actual by estimated hours, and actual hours. */
const [RATIO, HOURS] = [0, 1];
/** A ratio beyond these says more about how hours were recorded than about the work. */
const RATIO_LEAST = 0.02;
const RATIO_MOST = 50;
/** Bytes of an id and of a role's name, roughly. */
const NAME_BYTES = 80;

export function createEvidence(): Evidence {
  const predictor: Predictor = createPredictor(configuration, 2);
  const tasks: Omit<Analog, "similarity">[] = [];
  const roles = new Map<string, number>();

  const roleOf = (name: string | null, isNew: boolean): number => {
    if (name === null) return 0;
    const key = name.trim().toLowerCase();
    const known = roles.get(key);
    if (known !== undefined || !isNew) return known ?? 0;
    roles.set(key, roles.size + 1);
    return roles.size;
  };

  const analogsOf = ({ nearest }: Prediction): Analog[] =>
    nearest.flatMap(({ piece, similarity }) => {
      const task = tasks[piece];
      return task ? [{ ...task, similarity }] : [];
    });

  return {
    get size() {
      return predictor.size;
    },
    get bytes() {
      return predictor.bytes + tasks.length * NAME_BYTES + roles.size * NAME_BYTES;
    },

    add({ id, title, description, role, estimatedHours, actualHours }) {
      const ratio = Math.min(Math.max(actualHours / estimatedHours, RATIO_LEAST), RATIO_MOST);
      const words = wordsOf(title, description);
      predictor.add({ words, role: roleOf(role, true), size: estimatedHours }, ratio, actualHours);
      tasks.push({ taskId: id, estimatedHours, actualHours });
    },

    prepare: ({ hours }) => predictor.prepare(hours === null ? HOURS : RATIO),

    expect({ title, description, role, hours }) {
      const piece = { words: wordsOf(title, description), role: roleOf(role, false), size: hours };
      const prediction = predictor.predict(piece, { kind: hours === null ? HOURS : RATIO });
      return {
        analogs: analogsOf(prediction),
        quantile: (probability) => (hours ?? 1) * prediction.quantile(probability),
      };
    },
  };
}
