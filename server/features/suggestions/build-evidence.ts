import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createEvidence, type Evidence } from "../../../domain/suggestion/evidence.ts";
import type { Queryable } from "../../db/database.ts";
import { monotonicMs } from "../../platform/clock.ts";
import {
  type FinishedTasks,
  findNewest,
  finishedSources,
  listFinished,
  type PlaceInTime,
  type StoredFinishedTask,
  type TaskSource,
} from "../tasks/index.ts";
import { createKnownTasks, type KnownTasks } from "./known-tasks.ts";

/** Finished tasks that a suggestion rests on, the newest. */
export const EVIDENCE_TASKS = 50_000;

/** Estimations whose finished tasks count, the newest: as many as a person may own, unless the operator has set more. */
export const EVIDENCE_ESTIMATIONS = 10_000;

/** Sources of finished tasks, by the id of their estimation. */
export type Sources = ReadonlyMap<string, TaskSource>;

/** Evidence, and what is needed to bring it up to date. */
export interface BuiltEvidence {
  readonly evidence: Evidence;
  readonly tasks: KnownTasks;
  /** Hash of its tasks, in their order. */
  hash: string;
  sources: Sources;
  /** The task that was added last. */
  last: PlaceInTime | null;
  /** There are more finished tasks than it contains. */
  readonly isCut: boolean;
}

/** Tasks of one query: a query looks through all remaining tasks, so there must be few queries. */
const PAGE = 1_000;
/** Milliseconds of work after which other work may run. */
const BUSY_MS = 5;

/**
 * Returns the sources of the finished tasks of a user's work, the newest `most`, except those of `exceptId`; whether that left
 * out any; and whether there may be older ones. Without finished tasks of their own or of a team, nobody else's count either.
 */
export async function sourcesFor(
  db: Queryable,
  userId: string,
  exceptId: string,
  most: number,
): Promise<{ sources: Sources; isAll: boolean; isCut: boolean }> {
  const { sources: all, isCut } = await finishedSources(db, userId, most);
  const others = all.filter(({ estimationId }) => estimationId !== exceptId);
  const counting = others.some(({ isOwn }) => isOwn) ? others : [];
  const sources = new Map(counting.map((source) => [source.estimationId, source]));
  return { sources, isAll: others.length === all.length, isCut };
}

const chain = (hash: string, digest: string): string => createHash("sha256").update(`${hash} ${digest}`).digest("hex");

/** Adds tasks, the earliest done first, and lets other work run in between. */
async function addAll(built: BuiltEvidence, tasks: readonly StoredFinishedTask[]): Promise<void> {
  let begin = monotonicMs();
  for (const task of tasks) {
    built.evidence.add(task);
    built.hash = chain(built.hash, built.tasks.add(task));
    if (monotonicMs() - begin < BUSY_MS) continue;
    await nextTurn();
    begin = monotonicMs();
  }
  built.last = tasks.at(-1) ?? built.last;
}

/** Sources of one kind, and how many of their tasks count, the newest. */
interface Share {
  readonly estimationIds: readonly string[];
  readonly tasks: number;
  readonly counting: number;
}

/**
 * Divides the `most` tasks that may count: those of others' estimations, which the user has only changed, are at most as many
 * as the user's own, so that nobody else decides what is suggested.
 */
function shareOut(sources: Sources, most: number): { own: Share; others: Share; isCut: boolean } {
  const shareOf = (isOwn: boolean) => {
    const some = [...sources.values()].filter((source) => source.isOwn === isOwn);
    const tasks = some.reduce((sum, { finished }) => sum + finished, 0);
    return { estimationIds: some.map(({ estimationId }) => estimationId), tasks };
  };
  const [own, others] = [shareOf(true), shareOf(false)];
  const ofOthers = Math.min(others.tasks, own.tasks, Math.floor(most / 2));
  const ofOwn = Math.min(own.tasks, most - ofOthers);
  return {
    own: { ...own, counting: ofOwn },
    others: { ...others, counting: ofOthers },
    isCut: ofOwn + ofOthers < own.tasks + others.tasks,
  };
}

async function newestOf(db: Queryable, { estimationIds, tasks, counting }: Share): Promise<FinishedTasks[]> {
  if (counting === 0) return [];
  return [{ estimationIds, from: counting < tasks ? await findNewest(db, estimationIds, counting) : null }];
}

const countOf = (sources: Sources): number => [...sources.values()].reduce((sum, { finished }) => sum + finished, 0);

/** Builds the evidence of the newest `most` tasks, page by page, so that their texts are never in memory together. */
export async function buildEvidence(
  db: Queryable,
  sources: Sources,
  most: number = EVIDENCE_TASKS,
): Promise<BuiltEvidence> {
  const { own, others, isCut } = shareOut(sources, most);
  const built: BuiltEvidence = {
    ...{ evidence: createEvidence(), tasks: createKnownTasks(), hash: "", sources, last: null, isCut },
  };
  const groups = isCut
    ? [...(await newestOf(db, own)), ...(await newestOf(db, others))]
    : [{ estimationIds: [...sources.keys()], from: null }];
  let page = await listFinished(db, groups, PAGE, null);
  for (;;) {
    await addAll(built, page);
    // A task that is finished in the meantime would be one too many.
    const left = Math.min(PAGE, own.counting + others.counting - built.tasks.size);
    if (page.length < PAGE || left <= 0) return built;
    page = await listFinished(db, groups, left, built.last);
    if (page.length === 0) return built;
  }
}

/**
 * Brings evidence up to date if the only change is tasks finished later than all that it contains: they are added at
 * the end. Returns undefined if anything else changed, or if it would become too large; then it has to be built again.
 */
export async function growEvidence(
  db: Queryable,
  built: BuiltEvidence,
  sources: Sources,
  most: number = EVIDENCE_TASKS,
): Promise<BuiltEvidence | undefined> {
  const changed = [...sources.values()].filter(({ estimationId, revision, isOwn }) => {
    const known = built.sources.get(estimationId);
    return known?.revision !== revision || known.isOwn !== isOwn;
  });
  const lost = [...built.sources.keys()].some((id) => !sources.has(id));
  if (changed.length === 0 && !lost) return built;
  if (lost || built.isCut || shareOut(sources, most).isCut) return undefined;
  const ids = changed.map(({ estimationId }) => estimationId);
  const added: StoredFinishedTask[] = [];
  let at: PlaceInTime | null = null;
  for (;;) {
    const page: StoredFinishedTask[] = await listFinished(db, [{ estimationIds: ids, from: null }], PAGE, at);
    for (const task of page) {
      if (!built.tasks.has(task.id)) added.push(task);
      else if (!built.tasks.holds(task)) return undefined;
    }
    at = page.at(-1) ?? null;
    if (page.length < PAGE) break;
    await nextTurn();
  }
  const [first] = added;
  const follows = !first || !built.last || isAfter(first, built.last);
  // A removed task would not be noticed here, but then the numbers differ.
  if (!follows || built.tasks.size + added.length !== countOf(sources)) return undefined;
  await addAll(built, added);
  built.sources = sources;
  return built;
}

const isAfter = (a: PlaceInTime, b: PlaceInTime): boolean =>
  a.doneAt > b.doneAt || (a.doneAt.getTime() === b.doneAt.getTime() && a.id > b.id);
