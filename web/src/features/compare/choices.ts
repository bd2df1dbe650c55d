import type { Thread } from "../../../../contract/endpoints/threads.ts";
import type { Version } from "../../../../contract/endpoints/versions.ts";
import { compareTexts as t } from "./texts.ts";

/** The content as it is now, beside the ids of versions. */
export const CURRENT = "current";

/** Another estimation that can be chosen. */
export interface EstimationChoice {
  readonly id: string;
  readonly title: string;
}

/** Other estimations to choose from. */
export interface OtherEstimations {
  /** Those that were edited last. */
  readonly newest: readonly EstimationChoice[];
  /** Whether there are others, which are searched for. */
  readonly hasMore: boolean;
}

/** Whether what is compared is another estimation. */
export const isEstimation = (id: string): boolean => id.startsWith("est_");

/** What can be compared, by its id, with its name. */
export type Choices = ReadonlyMap<string, string>;

/**
 * Returns what can be compared: the content as it is now, the heads of the threads where there are several, then the other
 * versions. A head of several threads is one choice with the titles of all.
 */
export function choicesOf(
  versions: readonly Pick<Version, "id" | "number" | "label">[],
  threads: readonly Pick<Thread, "headVersionId" | "title">[],
): Choices {
  const named = new Map(versions.map(({ id, number, label }) => [id, t.version(number, label)]));
  const titles = new Map<string, string[]>();
  for (const { headVersionId: head, title } of threads.length > 1 ? threads : []) {
    if (head !== null) titles.set(head, [...(titles.get(head) ?? []), title]);
  }
  return new Map([
    [CURRENT, t.current],
    ...[...titles].map(([head, of]): [string, string] => [head, t.threads(of, named.get(head) ?? t.olderVersion)]),
    ...[...named].filter(([id]) => !titles.has(id)),
  ]);
}
