import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "../../../contract/limits.ts";
import { createEvidence, type Evidence } from "../../../domain/suggestion/evidence.ts";
import type { Queryable } from "../../db/database.ts";
import { finishedSources, listFinished, type StoredFinishedTask, type TaskSource } from "../tasks/index.ts";

/** The finished tasks that a caller may read, ready for suggestions. */
export interface KnownEvidence {
  readonly evidence: Evidence;
  /** Names what it consists of, in its order. */
  readonly hash: string;
  /** Names where it was read, and as of when: `sourcesFor` then. */
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
  use<R>(db: Queryable, userId: string, exceptId: string, use: (known: KnownEvidence) => Promise<R>): Promise<R>;
}

/** What is known of one caller. */
interface Entry {
  known: Omit<KnownEvidence, "sources">;
  sources: Sources;
  /** The digest of each task by its id. */
  digests: Map<string, string>;
  last: StoredFinishedTask | null;
  bytes: number;
}

const PAGE = 500;
/** Tasks that are added before others are let work: some 3 ms. */
const AT_ONCE = 100;
/** Bytes of an id and a digest, roughly. */
const DIGEST_BYTES = 300;

/** Keeps the evidence of the callers who asked last, up to `limits.suggestionCacheBytes` in all. */
export function createEvidenceCache(bytesMax: number = limits.suggestionCacheBytes): EvidenceCache {
  const entries = new Map<string, Entry>();
  const running = new Map<string, Promise<unknown>>();

  const keep = (key: string, entry: Entry) => {
    entries.delete(key);
    entries.set(key, entry);
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

  return {
    async use(db, userId, exceptId, use) {
      const { sources, isAll } = await sourcesFor(db, userId, exceptId);
      // Estimations without finished tasks of their own share the evidence of their reader.
      const key = isAll ? userId : `${userId} ${exceptId}`;
      return inTurn(key, async () => {
        const standing = entries.get(key);
        const entry = (standing && (await grow(db, standing, sources))) ?? (await build(db, sources));
        keep(key, entry);
        return use({ ...entry.known, sources: nameOf(sources) });
      });
    },
  };
}

type Sources = ReadonlyMap<string, TaskSource>;

async function sourcesFor(
  db: Queryable,
  userId: string,
  exceptId: string,
): Promise<{ sources: Sources; isAll: boolean }> {
  const all = await finishedSources(db, userId);
  const others = all.filter(({ estimationId }) => estimationId !== exceptId);
  const sources = new Map(others.map((source) => [source.estimationId, source]));
  return { sources, isAll: sources.size === all.length };
}

const nameOf = (sources: Sources): string => {
  const hash = createHash("sha256");
  for (const { estimationId, revision } of sources.values()) hash.update(`${estimationId} ${revision}\n`);
  return hash.digest("base64url");
};

/** Names the finished tasks that a user may read, but those of `exceptId`: another name after any change of them. */
export const nameOfSources = async (db: Queryable, userId: string, exceptId: string): Promise<string> =>
  nameOf((await sourcesFor(db, userId, exceptId)).sources);

const digestOf = (task: StoredFinishedTask): string => {
  const { id, title, description, role, estimatedHours, actualHours, doneAt } = task;
  const content = JSON.stringify([id, title, description, role, estimatedHours, actualHours, doneAt]);
  return createHash("sha256").update(content).digest("base64url");
};

const chain = (hash: string, digest: string): string => createHash("sha256").update(`${hash} ${digest}`).digest("hex");

/** Adds tasks, the earliest done first, and lets others work in between. */
async function addAll(entry: Entry, tasks: readonly StoredFinishedTask[]): Promise<void> {
  const { evidence } = entry.known;
  let { hash } = entry.known;
  for (const [at, task] of tasks.entries()) {
    const digest = digestOf(task);
    evidence.add(task);
    entry.digests.set(task.id, digest);
    hash = chain(hash, digest);
    if (at % AT_ONCE === AT_ONCE - 1) await nextTurn();
  }
  entry.last = tasks.at(-1) ?? entry.last;
  entry.known = { ...entry.known, hash };
  entry.bytes = evidence.bytes + entry.digests.size * DIGEST_BYTES;
}

/** Reads the newest tasks of these estimations, the earliest done first. */
async function readNewest(db: Queryable, estimationIds: readonly string[]): Promise<StoredFinishedTask[]> {
  const tasks: StoredFinishedTask[] = [];
  while (tasks.length < limits.suggestionTasks) {
    const limit = Math.min(PAGE, limits.suggestionTasks - tasks.length);
    const page = await listFinished(db, estimationIds, limit, tasks.at(-1) ?? null);
    for (const task of page) tasks.push(task);
    if (page.length < limit) break;
  }
  return tasks.reverse();
}

const countOf = (sources: Sources): number => [...sources.values()].reduce((sum, { finished }) => sum + finished, 0);

async function build(db: Queryable, sources: Sources): Promise<Entry> {
  const isCut = countOf(sources) > limits.suggestionTasks;
  const digests = new Map<string, string>();
  const holds = (task: StoredFinishedTask) => digests.get(task.id) === digestOf(task);
  const known = { evidence: createEvidence(), hash: "", isCut, holds };
  const entry: Entry = { known, sources, digests, last: null, bytes: 0 };
  await addAll(entry, await readNewest(db, [...sources.keys()]));
  return entry;
}

/**
 * Brings evidence up to date where tasks were only finished since, after all that it knows: they are added at the end.
 * Returns undefined where anything else changed, or where it would become too large; then it has to be built anew.
 */
async function grow(db: Queryable, entry: Entry, sources: Sources): Promise<Entry | undefined> {
  const changed = [...sources.values()].filter(
    ({ estimationId, revision }) => entry.sources.get(estimationId)?.revision !== revision,
  );
  const lost = [...entry.sources.keys()].some((id) => !sources.has(id));
  if (lost || entry.known.isCut || countOf(sources) > limits.suggestionTasks) {
    return changed.length === 0 && !lost ? entry : undefined;
  }
  if (changed.length === 0) return entry;
  const read = await readNewest(
    db,
    changed.map(({ estimationId }) => estimationId),
  );
  const added = read.filter(({ id }) => !entry.digests.has(id));
  const isSame = read.every((task) => !entry.digests.has(task.id) || entry.digests.get(task.id) === digestOf(task));
  const first = added[0];
  const follows = !first || !entry.last || isAfter(first, entry.last);
  // A task that is gone would be missed here: then the numbers differ.
  if (!isSame || !follows || entry.digests.size + added.length !== countOf(sources)) return undefined;
  await addAll(entry, added);
  entry.sources = sources;
  return entry;
}

const isAfter = (a: StoredFinishedTask, b: StoredFinishedTask): boolean =>
  a.doneAt > b.doneAt || (a.doneAt.getTime() === b.doneAt.getTime() && a.id > b.id);
