import type { EstimationFields } from "../../../contract/endpoints/estimations.ts";
import { limits } from "../../../contract/limits.ts";
import { breaches, faultAt } from "../../../domain/tree/check/faults.ts";
import { totalFigures } from "../../../domain/tree/hours/roll-up.ts";
import type { NewId, Tree } from "../../../domain/tree/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { failWith } from "../../http/failure.ts";
import { inTurn } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import { EMPTY_TREE, type ReadableEstimation } from "./look-up-store.ts";
import { type EstimationRow, insertEstimation } from "./store.ts";
import { saveTimeline, type TimelineContent } from "./timeline-store.ts";
import { hoursColumns, saveTree } from "./tree-store.ts";
import { accountTree, addNewEstimation, stepsOf } from "./usage-store.ts";

/** What a new estimation has, unless it says something else. */
export const DEFAULTS = { description: "", correlation: 0.2 };

/** A new estimation. */
interface Making {
  readonly ownerId: string;
  readonly fields: Partial<EstimationFields> & Pick<EstimationFields, "title">;
  /** Whether its hours are invented: a copy of an example is one too. */
  readonly isExample?: boolean;
  /** Makes its tree; empty by default. */
  readonly plant?: (newId: NewId) => Tree;
  /** About how many bytes that tree has. */
  readonly treeBytes?: number;
  /** Makes the timeline of its tree; never set by default. */
  readonly timelineFor?: (tree: Tree) => TimelineContent;
  /** Shares it with others at once. */
  readonly shareNew: ShareNew;
  readonly now: Date;
}

/** Shares a new estimation, in the transaction that makes it, as its owner has chosen for all new ones. */
export type ShareNew = (tx: Queryable, estimation: Pick<EstimationRow, "id" | "ownerId">, now: Date) => Promise<void>;

/**
 * Makes an estimation with its tree, and computes its hours. Refuses what exceeds a quota of its owner (409), and a
 * tree that takes more than `limits.treeBytes` (400).
 */
export async function makeEstimation(
  tx: Queryable,
  { quotas, ids, treeIds }: Pick<Services, "quotas" | "ids" | "treeIds">,
  { ownerId, fields, isExample = false, plant = () => EMPTY_TREE, treeBytes = 0, timelineFor, shareNew, now }: Making,
): Promise<ReadableEstimation> {
  await addNewEstimation(tx, quotas, ownerId);
  const id = ids.next("estimation");
  const tree = await inTurn(treeBytes, () => plant(treeIds(id).next));
  const settings = { ...DEFAULTS, ...fields };
  const hours = hoursColumns(totalFigures(tree, settings));
  const row = await insertEstimation(tx, {
    ...settings,
    ...hours,
    isExample,
    id,
    ownerId,
    createdAt: now,
    updatedAt: now,
  });
  await shareNew(tx, row, now);
  if (timelineFor) {
    const timeline = await inTurn(treeBytes, () => timelineFor(tree));
    await saveTimeline(tx, quotas, row, timeline);
  }
  if (tree.nodes.length === 0) return row;
  const text = await inTurn(treeBytes, () => JSON.stringify(tree));
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.treeBytes) failWith([faultAt("", breaches.treeBytes)]);
  await accountTree(tx, quotas, row, stepsOf(bytes));
  await saveTree(tx, id, text, bytes);
  return row;
}

const COPY_SUFFIX = " (copy)";

/** Returns the fields of an estimation's copy. The title gets a note that it is a copy, and is cut if it becomes too long. */
export function fieldsOfCopy(fields: EstimationFields): EstimationFields {
  const { title, description, assumptions, clientName, tags, hourlyRate, currency, correlation, rounding } = fields;
  const cut = Array.from(title)
    .slice(0, limits.titleLength - COPY_SUFFIX.length)
    .join("")
    .trimEnd();
  const texts = { title: cut + COPY_SUFFIX, description, assumptions, clientName, tags };
  return { ...texts, hourlyRate, currency, correlation, rounding };
}
