import type { ApplyMode } from "../../../contract/endpoints/templates.ts";
import { applyTemplate } from "../../../domain/templates/apply-template.ts";
import type { TemplateTree } from "../../../domain/templates/shape.ts";
import { aboutBytes } from "../../../domain/tree/check/about-bytes.ts";
import type { Tree } from "../../../domain/tree/shape.ts";
import type { Services } from "../../services/index.ts";
import { type ContentCall, changeContent, type LockedEstimation, loadTree } from "../estimations/index.ts";
import { pinVersion } from "../versions/index.ts";

/** What is applied, how, and by whom. */
interface Application {
  readonly template: { readonly id: string; readonly tree: TemplateTree };
  readonly mode: ApplyMode;
  readonly authorId: string;
}

/** The estimation afterwards, and the versions that have its content before and after. */
interface Applied {
  readonly estimation: LockedEstimation;
  readonly tree: Tree;
  readonly treeBytes: number;
  readonly undoVersionId: string;
  readonly versionId: string;
}

/**
 * Applies a template to a locked estimation, between two versions, so that restoring the first one undoes it. Refuses what
 * `changeContent` and `pinVersion` refuse: nothing is changed where there is no room for the versions.
 */
export async function apply(
  services: Pick<Services, "quotas" | "ids" | "treeIds">,
  call: ContentCall,
  { template, mode, authorId }: Application,
): Promise<Applied> {
  const { quotas, treeIds } = services;
  const ids = treeIds(call.estimation.id);
  const before = await loadTree(call.db, call.estimation.id);
  // First, because locked content is the reason to name even if there is no room for versions either.
  const { estimation, tree, treeBytes } = await changeContent<object>(call, {
    edit: (stored) => applyTemplate(stored, template, mode, ids.next),
    ids,
    editBytes: aboutBytes(template.tree.nodes),
    quotas,
  });
  const pin = { cause: "template", authorId } as const;
  const { id: undoVersionId } = await pinVersion(services, call, before, pin);
  const { id: versionId } = await pinVersion(services, { ...call, estimation }, tree, pin);
  return { estimation, tree, treeBytes, undoVersionId, versionId };
}
