import { createHash } from "node:crypto";
import type { StoredFinishedTask } from "../tasks/index.ts";

/** Which finished tasks were added to evidence, and in which state; stored as parts of digests. */
export interface KnownTasks {
  readonly size: number;
  has(id: string): boolean;
  /** Returns whether exactly this state of a task is known. */
  holds(task: StoredFinishedTask): boolean;
  /** Adds a task and returns its digest. */
  add(task: StoredFinishedTask): string;
  /** Returns the digests in the order in which the tasks were added. */
  write(): string;
}

const digestOf = (task: StoredFinishedTask): string => {
  const { id, title, description, role, estimatedHours, actualHours, doneAt } = task;
  const content = JSON.stringify([id, title, description, role, estimatedHours, actualHours, doneAt]);
  return createHash("sha256").update(content).digest("base64url");
};

/** The stored part of a digest: 132 bits. Only a reader's own tasks are compared with it. */
const storedPart = (digest: string): string => digest.slice(0, 22);

/**
 * Knows no tasks, or those with these ids, in order, and the digests that were written of them. These are read when a
 * task is first looked for, which most new processes never do.
 */
export function createKnownTasks(known?: { readonly ids: readonly string[]; readonly written: string }): KnownTasks {
  let unread = known && { ids: known.ids.slice(), written: known.written };
  const digests = new Map<string, string>();
  const all = () => {
    if (unread) {
      const lines = unread.written.split("\n");
      for (const [at, id] of unread.ids.entries()) digests.set(id, lines[at] as string);
      unread = undefined;
    }
    return digests;
  };
  return {
    get size() {
      return unread ? unread.ids.length : digests.size;
    },
    has: (id) => all().has(id),
    holds: (task) => all().get(task.id) === storedPart(digestOf(task)),
    add(task) {
      const digest = digestOf(task);
      all().set(task.id, storedPart(digest));
      return digest;
    },
    write: () => unread?.written ?? [...digests.values()].join("\n"),
  };
}
