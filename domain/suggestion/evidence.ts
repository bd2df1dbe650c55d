import { roleKey } from "../tree/roles.ts";
import { configuration } from "./configuration.ts";
import { withRoom } from "./growing.ts";
import { pack, unpack } from "./packed.ts";
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

/** What is expected of a piece of work. */
export interface Expected {
  /** Returns the quantile at a probability: as a multiple of the estimated hours, or in hours without an estimate. */
  quantile(probability: number): number;
  readonly analogs: readonly Analog[];
}

/** Finished tasks in the order in which they were done; a task more can be added at the end. */
export interface Evidence {
  readonly size: number;
  /** The ids of the tasks. */
  readonly ids: readonly string[];
  /** Bytes of memory, roughly. */
  readonly bytes: number;
  add(task: FinishedTask): void;
  /** Prepares, in short steps, what the next `expect` for such work would otherwise do at once. */
  prepare(work: Pick<Work, "title" | "description">): Generator<void, void>;
  expect(work: Work): Expected;
  /**
   * Yields, in chunks, the bytes from which `createEvidence` restores the evidence. Nothing may be added during that.
   */
  pack(chunkBytes: number): Generator<Uint8Array<ArrayBuffer>, void>;
}

/** The kinds of outcome: actual by estimated hours, and actual hours. */
const [RATIO, HOURS] = [0, 1];
/** Ratios beyond these bounds come from how hours were recorded rather than from the work. */
const RATIO_LEAST = 0.02;
const RATIO_MOST = 50;
/** Bytes of an id and of a role's name, roughly. */
const NAME_BYTES = 80;

/** Increased whenever the sections of `pack` or the reading of words from texts change, or what is stored beside them. */
const FORMAT = 5;
/** Bytes of another version are not used. The order of bytes in a number is that of the machine. */
export const evidenceVersion = JSON.stringify([FORMAT, configuration, new Uint8Array(Uint16Array.of(1).buffer)[0]]);

/** Creates evidence without tasks, or as it was when it was packed. */
export function createEvidence(packed?: ArrayBuffer): Evidence {
  const sections = packed && unpack(packed);
  const predictor: Predictor = createPredictor(configuration, 2, sections);
  const ids = sections?.text().split("\n").filter(Boolean) ?? [];
  let estimated = sections?.float64() ?? new Float64Array(64);
  const roles = new Map<string, number>(JSON.parse(sections?.text() ?? "[]"));

  const roleOf = (name: string | null, isNew: boolean): number => {
    const key = roleKey(name);
    if (key === "") return 0;
    const known = roles.get(key);
    if (known !== undefined || !isNew) return known ?? 0;
    roles.set(key, roles.size + 1);
    return roles.size;
  };

  const analogsOf = ({ nearest }: Prediction): Analog[] =>
    nearest.map(({ piece, similarity }) => ({
      taskId: ids[piece] as string,
      ...{ estimatedHours: estimated[piece] as number, actualHours: predictor.outcomeOf(piece, HOURS), similarity },
    }));

  return {
    ids,
    get size() {
      return predictor.size;
    },
    get bytes() {
      return predictor.bytes + estimated.byteLength + (ids.length + roles.size) * NAME_BYTES;
    },

    add({ id, title, description, role, estimatedHours, actualHours }) {
      const ratio = Math.min(Math.max(actualHours / estimatedHours, RATIO_LEAST), RATIO_MOST);
      const words = wordsOf(title, description);
      predictor.add({ words, role: roleOf(role, true), size: estimatedHours }, ratio, actualHours);
      estimated = withRoom(estimated, ids.length + 1);
      estimated[ids.length] = estimatedHours;
      ids.push(id);
    },

    pack(chunkBytes) {
      const hours = estimated.subarray(0, ids.length);
      return pack([...predictor.sections(), ids.join("\n"), hours, JSON.stringify([...roles])], chunkBytes);
    },

    prepare: ({ title, description }) => predictor.prepare(wordsOf(title, description)),

    expect({ title, description, role, hours }) {
      const piece = { words: wordsOf(title, description), role: roleOf(role, false), size: hours };
      const prediction = predictor.predict(piece, { kind: hours === null ? HOURS : RATIO });
      return {
        analogs: analogsOf(prediction),
        quantile: prediction.quantile,
      };
    },
  };
}
