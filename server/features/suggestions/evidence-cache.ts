import { limits } from "../../../contract/limits.ts";
import { createEvidence, type Evidence, evidenceVersion } from "../../../domain/suggestion/evidence.ts";
import type { Services } from "../../services.ts";
import type { StoredFinishedTask, TaskSource } from "../tasks/index.ts";
import { type BuiltEvidence, buildEvidence, growEvidence, nameOf, sourcesFor } from "./build-evidence.ts";
import { readEvidence, storeEvidence } from "./evidence-store.ts";
import { createKnownTasks } from "./known-tasks.ts";

/** The finished tasks that a caller may read, ready for suggestions. */
export interface KnownEvidence {
  readonly evidence: Evidence;
  /** Names what it consists of, in its order. */
  readonly hash: string;
  /** Names where it was read, and as of when: `nameOfSources` then. */
  readonly sources: string;
  /** There are more finished tasks than it consists of. */
  readonly isCut: boolean;
  /** Returns whether it holds a task as it is given. */
  holds(task: StoredFinishedTask): boolean;
}

export interface EvidenceCache {
  /**
   * Lets `use` work with the finished tasks of all estimations that the user may read, but `exceptId`. They do not change
   * meanwhile: uses of the same evidence follow one another.
   */
  use<R>(userId: string, exceptId: string, use: (known: KnownEvidence) => Promise<R>): Promise<R>;
}

export interface EvidenceCacheOptions {
  /** Memory for the evidence of all callers. */
  readonly bytesMax?: number;
  /** Finished tasks that evidence consists of. */
  readonly tasksMax?: number;
  /** Finished tasks from which on it is stored. */
  readonly storedTasks?: number;
}

interface Entry {
  readonly built: BuiltEvidence;
  readonly bytes: number;
}

/** Bytes of an id and a digest, roughly. */
const DIGEST_BYTES = 300;
/** Evidence is stored anew when it has grown by this part, … */
const STORED_GROWTH = 0.1;
/** … but not more often. */
const STORED_PAUSE_MS = 600_000;
/** Keys of which that is remembered. */
const NOTED_MOST = 10_000;

/** Keeps the evidence of the callers who asked last, and stores it for processes that start later. */
export function createEvidenceCache(
  { pool, clock, log }: Pick<Services, "pool" | "clock" | "log">,
  options: EvidenceCacheOptions = {},
): EvidenceCache {
  const { bytesMax = limits.suggestionCacheBytes, tasksMax = limits.suggestionTasks } = options;
  const { storedTasks = limits.suggestionStoredTasks } = options;
  const entries = new Map<string, Entry>();
  const running = new Map<string, Promise<unknown>>();
  /** When evidence was stored or read by this process last, and how many tasks it had. */
  const stored = new Map<string, { readonly at: number; readonly size: number }>();

  const keep = (key: string, built: BuiltEvidence) => {
    entries.delete(key);
    entries.set(key, { built, bytes: built.evidence.bytes + built.tasks.size * DIGEST_BYTES });
    let bytes = [...entries.values()].reduce((sum, { bytes: own }) => sum + own, 0);
    // The oldest first; the newest is dropped too if it alone is too large.
    for (const [oldest, { bytes: own }] of entries) {
      if (bytes <= bytesMax) return;
      entries.delete(oldest);
      bytes -= own;
    }
  };

  const inTurn = async <R>(key: string, work: () => Promise<R>): Promise<R> => {
    const before = running.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    running.set(key, mine);
    try {
      return await mine;
    } finally {
      if (running.get(key) === mine) running.delete(key);
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
    const built = readFacts(found.facts, createEvidence(found.packed));
    noteStored(key, built.tasks.size);
    return built;
  };

  const store = async (key: string, userId: string, built: BuiltEvidence) => {
    const last = stored.get(key);
    const { size } = built.tasks;
    const now = clock.now();
    if (size < storedTasks || (last && size <= last.size * (1 + STORED_GROWTH))) return;
    if (last && now.getTime() - last.at < STORED_PAUSE_MS) return;
    noteStored(key, size);
    const estimationIds = [...built.sources.keys()];
    const { pack } = built.evidence;
    const row = { key, userId, version: evidenceVersion, estimationIds, facts: writeFacts(built), pack };
    await storeEvidence(pool, row, now).catch((err: unknown) => log.warn({ err }, "evidence could not be stored"));
  };

  return {
    async use(userId, exceptId, use) {
      const { sources, isAll } = await sourcesFor(pool, userId, exceptId);
      // Estimations without finished tasks of their own share the evidence of their reader.
      const key = isAll ? userId : `${userId} ${exceptId}`;
      let built: BuiltEvidence | undefined;
      const result = await inTurn(key, async () => {
        const count = [...sources.values()].reduce((sum, { finished }) => sum + finished, 0);
        const standing = entries.get(key)?.built ?? (count >= storedTasks ? await restore(key) : null);
        built = standing ? await growEvidence(pool, standing, sources, tasksMax) : undefined;
        built ??= await buildEvidence(pool, sources, tasksMax);
        keep(key, built);
        const { evidence, hash, isCut, tasks } = built;
        return use({ evidence, hash, isCut, holds: tasks.holds, sources: nameOf(sources) });
      });
      // Nobody waits for this, but the next use of the same evidence.
      void inTurn(key, async () => built && store(key, userId, built));
      return result;
    },
  };
}

/** Writes what is known of evidence beside itself. */
function writeFacts({ hash, isCut, last, tasks, sources }: BuiltEvidence): string {
  return JSON.stringify({
    ...{ hash, isCut, last: last && { id: last.id, doneAt: last.doneAt.getTime() } },
    sources: [...sources.values()],
    digests: tasks.write(),
  });
}

interface Facts extends Pick<BuiltEvidence, "hash" | "isCut"> {
  readonly last: { readonly id: string; readonly doneAt: number } | null;
  readonly sources: readonly TaskSource[];
  readonly digests: string;
}

function readFacts(text: string, evidence: Evidence): BuiltEvidence {
  const { hash, isCut, last, sources, digests } = JSON.parse(text) as Facts;
  return {
    ...{ evidence, hash, isCut, tasks: createKnownTasks({ ids: evidence.ids, written: digests }) },
    last: last && { id: last.id, doneAt: new Date(last.doneAt) },
    sources: new Map(sources.map((source) => [source.estimationId, source])),
  };
}
