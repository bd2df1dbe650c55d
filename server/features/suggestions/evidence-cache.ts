import { setImmediate as nextTurn } from "node:timers/promises";
import { createEvidence, type Evidence, evidenceVersion } from "../../../domain/suggestion/evidence.ts";
import { currentDeadline, DeadlineExceeded } from "../../platform/deadline.ts";
import { createTurns, Overloaded } from "../../platform/turns.ts";
import type { Services } from "../../services/index.ts";
import type { StoredFinishedTask, TaskSource } from "../tasks/index.ts";
import {
  type BuiltEvidence,
  buildEvidence,
  EVIDENCE_ESTIMATIONS,
  EVIDENCE_TASKS,
  growEvidence,
  type Sources,
  sourcesFor,
} from "./build-evidence.ts";
import { createMemory } from "./evidence-memory.ts";
import { readEvidence, storeEvidence } from "./evidence-store.ts";
import { createKnownTasks } from "./known-tasks.ts";

/** Memory that a process takes to keep finished tasks ready; the least recently used are dropped. */
const MEMORY_BYTES = 256 * 1024 * 1024;
/** Readers whose finished tasks a process reads from the database at the same time, … */
export const READERS_AT_ONCE = 2;
/** … and readers that wait for that; more are told that the service is busy. */
export const READERS_WAITING = 32;
/** From this many finished tasks of one reader on, what is computed from them is stored for processes that start later. */
const STORED_TASKS_MIN = 500;

/** The finished tasks of a caller's work, ready for suggestions. */
export interface KnownEvidence {
  readonly evidence: Evidence;
  /** Hash of its tasks, in their order. */
  readonly hash: string;
  /** There are more finished tasks than it contains, or may be. */
  readonly isCut: boolean;
  /** Returns whether it contains exactly this task. */
  holds(task: StoredFinishedTask): boolean;
}

export interface EvidenceCache {
  /**
   * Calls `use` with the finished tasks of the user's work, except those of `exceptId`. They do not
   * change during the call: uses of the same evidence run one after the other. Rejects with `Overloaded` if the
   * evidence is not in memory and too many others are waiting.
   */
  use<R>(userId: string, exceptId: string, use: (known: KnownEvidence) => Promise<R>): Promise<R>;
}

export interface EvidenceCacheOptions {
  /** Memory for the evidence of all callers. */
  readonly bytesMax?: number;
  /** Maximum of finished tasks in evidence. */
  readonly tasksMax?: number;
  /** Maximum of estimations whose finished tasks count. */
  readonly estimationsMax?: number;
  /** Evidence with this many finished tasks is stored. */
  readonly storedTasks?: number;
}

/** Bytes of an id and of the stored part of a digest, roughly. */
const DIGEST_BYTES = 200;
const bytesOf = ({ evidence, tasks }: BuiltEvidence): number => evidence.bytes + tasks.size * DIGEST_BYTES;
/** Evidence is stored anew when it has grown by this part, … */
const STORED_GROWTH = 0.1;
/** … but not more often. */
const STORED_PAUSE_MS = 600_000;
/** Keys for which that is remembered. */
const NOTED_MOST = 10_000;

/** Evidence of this size is ready for most questions. */
const ANY_WORK = { title: "", description: "", hours: 1 };

/** Runs work with the same name one after the other, in the order in which it was given. */
function createChains() {
  const running = new Map<string, Promise<unknown>>();
  return async <R>(name: string, work: () => Promise<R>): Promise<R> => {
    const before = running.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    running.set(name, mine);
    try {
      return await mine;
    } finally {
      if (running.get(name) === mine) running.delete(name);
    }
  };
}

/**
 * Keeps the evidence of the most recent callers, and stores it for processes that start later. Evidence that is not in
 * memory is read or computed for a few callers at a time, because it takes memory until their request has its response;
 * others wait for their turn.
 */
export function createEvidenceCache(
  { pool, clock, log }: Pick<Services, "pool" | "clock" | "log">,
  options: EvidenceCacheOptions = {},
): EvidenceCache {
  const { bytesMax = MEMORY_BYTES, tasksMax = EVIDENCE_TASKS } = options;
  const { storedTasks = STORED_TASKS_MIN, estimationsMax = EVIDENCE_ESTIMATIONS } = options;
  const memory = createMemory(bytesMax, bytesOf);
  const [inTurn, inTurnOfUser] = [createChains(), createChains()];
  const takeTurn = createTurns({ atOnce: READERS_AT_ONCE, waitingMax: READERS_WAITING });
  const takeTurnToStore = createTurns({ atOnce: 1, waitingMax: 0 });
  /** When this process last stored or read evidence, and how many tasks it had. */
  const stored = new Map<string, { readonly at: number; readonly size: number }>();

  /** Works with evidence that stays in memory during the call. */
  const holding = async <R>(key: string, built: BuiltEvidence, work: () => Promise<R>): Promise<R> => {
    memory.hold(key, built);
    try {
      return await work();
    } finally {
      memory.release(key);
    }
  };

  const noteStored = (key: string, size: number) => {
    stored.delete(key);
    stored.set(key, { at: clock.now().getTime(), size });
    if (stored.size > NOTED_MOST) stored.delete(stored.keys().next().value as string);
  };

  const restore = async (key: string): Promise<BuiltEvidence | null> => {
    const found = await readEvidence(pool, key, evidenceVersion);
    if (found === null) return null;
    try {
      const built = readFacts(found.facts, createEvidence(found.packed));
      noteStored(key, built.tasks.size);
      return built;
    } catch (err) {
      log.warn({ err }, "stored evidence is damaged");
      return null;
    }
  };

  const load = async (key: string, sources: Sources): Promise<BuiltEvidence> => {
    if (currentDeadline()?.isOver) throw new DeadlineExceeded("waiting for evidence took too long");
    const count = [...sources.values()].reduce((sum, { finished }) => sum + finished, 0);
    const restored = count >= storedTasks ? await restore(key) : null;
    const grown = restored && (await growEvidence(pool, restored, sources, tasksMax));
    return grown ?? buildEvidence(pool, sources, tasksMax);
  };

  const isWorthStoring = (key: string, size: number): boolean => {
    const last = stored.get(key);
    if (size < storedTasks || (last && size <= last.size * (1 + STORED_GROWTH))) return false;
    return !last || clock.now().getTime() - last.at >= STORED_PAUSE_MS;
  };

  const store = async (key: string, userId: string, built: BuiltEvidence) => {
    noteStored(key, built.tasks.size);
    for (const _ of built.evidence.prepare(ANY_WORK)) await nextTurn();
    const estimationIds = [...built.sources.keys()];
    const { pack } = built.evidence;
    const row = { key, userId, version: evidenceVersion, estimationIds, facts: writeFacts(built), pack };
    await storeEvidence(pool, row, clock.now());
  };

  /** Stores evidence if that is due. Only the next use of the same evidence waits for this. */
  const storeAfterwards = (key: string, userId: string) =>
    inTurn(key, async () => {
      try {
        const built = memory.find(key);
        if (!built || !isWorthStoring(key, built.tasks.size)) return;
        await takeTurnToStore(() => holding(key, built, () => store(key, userId, built)));
      } catch (err) {
        // Other evidence is being stored: wait for the next use.
        if (!(err instanceof Overloaded)) log.warn({ err }, "evidence could not be stored");
      }
    });

  return {
    async use(userId, exceptId, use) {
      const { sources, isAll, isCut: isSourceLeft } = await sourcesFor(pool, userId, exceptId, estimationsMax);
      // Estimations without finished tasks of their own share the evidence of their reader.
      const key = isAll ? userId : `${userId} ${exceptId}`;
      const response = (built: BuiltEvidence) => {
        const { evidence, hash, isCut, tasks } = built;
        const known = { evidence, hash, isCut: isCut || isSourceLeft, holds: tasks.holds };
        return holding(key, built, () => use(known));
      };
      const result = await inTurn(key, async () => {
        const kept = memory.find(key);
        const grown = kept && (await holding(key, kept, () => growEvidence(pool, kept, sources, tasksMax)));
        if (grown) return response(grown);
        memory.drop(key);
        return inTurnOfUser(userId, () => takeTurn(async () => response(await load(key, sources))));
      });
      void storeAfterwards(key, userId);
      return result;
    },
  };
}

interface Facts extends Pick<BuiltEvidence, "hash" | "isCut"> {
  readonly last: { readonly id: string; readonly doneAt: number } | null;
  readonly sources: readonly TaskSource[];
  readonly digests: string;
}

/** Writes the facts about evidence that are stored beside it. */
function writeFacts({ hash, isCut, last, tasks, sources }: BuiltEvidence): string {
  return JSON.stringify({
    ...{ hash, isCut, last: last && { id: last.id, doneAt: last.doneAt.getTime() } },
    sources: [...sources.values()],
    digests: tasks.write(),
  } satisfies Facts);
}

/** Reads what `writeFacts` wrote of this evidence. */
function readFacts(text: string, evidence: Evidence): BuiltEvidence {
  const { hash, isCut, last, sources, digests } = JSON.parse(text) as Facts;
  return {
    ...{ evidence, hash, isCut, tasks: createKnownTasks({ ids: evidence.ids, written: digests }) },
    last: last && { id: last.id, doneAt: new Date(last.doneAt) },
    sources: new Map(sources.map((source) => [source.estimationId, source])),
  };
}
