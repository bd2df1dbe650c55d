import type { Evidence } from "../../../domain/suggestion/evidence.ts";
import type { TaskSource } from "../tasks/index.ts";
import type { BuiltEvidence } from "./build-evidence.ts";
import { createKnownTasks } from "./known-tasks.ts";

interface Facts extends Pick<BuiltEvidence, "hash" | "isCut"> {
  readonly last: { readonly id: string; readonly doneAt: number } | null;
  readonly sources: readonly TaskSource[];
  readonly digests: string;
}

/** Writes the facts about evidence that are stored beside it. */
export function writeFacts({ hash, isCut, last, tasks, sources }: BuiltEvidence): string {
  return JSON.stringify({
    ...{ hash, isCut, last: last && { id: last.id, doneAt: last.doneAt.getTime() } },
    sources: [...sources.values()],
    digests: tasks.write(),
  } satisfies Facts);
}

/** Reads what `writeFacts` wrote of this evidence. */
export function readFacts(text: string, evidence: Evidence): BuiltEvidence {
  const { hash, isCut, last, sources, digests } = JSON.parse(text) as Facts;
  return {
    ...{ evidence, hash, isCut, tasks: createKnownTasks({ ids: evidence.ids, written: digests }) },
    last: last && { id: last.id, doneAt: new Date(last.doneAt) },
    sources: new Map(sources.map((source) => [source.estimationId, source])),
  };
}
