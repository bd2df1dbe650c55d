import type { Template, templates } from "../../../contract/endpoints/templates.ts";
import { may } from "../../../domain/access.ts";
import { applyTemplate } from "../../../domain/templates/apply-template.ts";
import { partOf } from "../../../domain/templates/part-of.ts";
import { toTemplate } from "../../../domain/templates/to-template.ts";
import { aboutBytes } from "../../../domain/tree/check/about-bytes.ts";
import { breaches, faultAt } from "../../../domain/tree/check/faults.ts";
import { orderOf } from "../../../domain/tree/import-tree.ts";
import { idsOf, type Tree } from "../../../domain/tree/shape.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Call } from "../../http/handler.ts";
import { inTurn, inTurns } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import { demandVerified, findUser, requireCaller } from "../auth/index.ts";
import { estimationLookUp } from "../estimations/index.ts";
import { presentTemplate } from "./present.ts";
import { insertTemplate, measureTemplates } from "./store.ts";
import { demandTeamFor, teamNameFor } from "./visible-to.ts";

/**
 * Makes a template of an estimation that the caller may read (404 otherwise). Refuses (403) to show one to others if
 * the caller is not verified or may not change the estimation, (409) an estimation without nodes, what exceeds the caller's
 * quotas, and (400) a part that the tree does not have, and a tree that could be applied nowhere, because it would take too
 * many bytes with the origins of its parts.
 */
export async function createTemplate(
  { config, ids, quotas, treeIds }: Services,
  { actor, body, db, now }: Call<typeof templates.createTemplate>,
): Promise<Template> {
  const { estimationId, partId, name, description = "", visibility = "private", teamId } = body;
  demandTeamFor(visibility, teamId);
  const owner = requireCaller(await findUser(db, actor.userId));
  if (visibility !== "private") demandVerified(owner, { config });
  const right = visibility === "private" ? "read" : "edit";
  const { tree: whole, access } =
    (await estimationLookUp.findWithTree(db, estimationId, owner.id, right)) ?? fail("not_found");
  const tree = partId === undefined ? whole : await inTurn(aboutBytes(whole.nodes), () => partOf(whole, partId));
  if (tree === null) failWith([{ ...faultAt("/partId", breaches.part), in: "body" }]);
  if (tree.nodes.length === 0) fail("template_empty");
  const teamName = await teamNameFor(db, teamId, owner.id);

  const id = ids.next("template");
  const treeBytes = aboutBytes(tree.nodes);
  const order = await inTurn(treeBytes, () => orderOf(tree.nodes));
  const made = await inTurn(treeBytes, () => toTemplate(tree, treeIds(id).next, order));
  const alone = await inTurns(treeBytes, applyTemplate({ nodes: [] }, { id, tree: made }, "replace", treeIds(id).next));
  if (!alone.ok) failWith([{ ...faultAt("/estimationId", breaches.treeBytes), in: "body" }]);
  const text = await inTurn(treeBytes, () => JSON.stringify(made));
  const bytes = Buffer.byteLength(text);
  const had = await measureTemplates(db, owner.id);
  await quotas.reserve(db, { quota: "templates", used: () => had.count + 1 });
  if (visibility === "instance")
    await quotas.reserve(db, { quota: "instanceTemplates", used: () => had.ofInstance + 1 });
  await quotas.reserve(db, { quota: "templateBytes", used: () => had.bytes + bytes });
  const found = idsOf(made.nodes as Tree["nodes"]);
  const counts = { nodes: found.nodes.size, options: found.options.size };
  const shown = { name, description, visibility, teamId: teamId ?? null, showable: may(access, "edit") === "allowed" };
  const row = { id, ownerId: owner.id, ...shown, ...counts, createdAt: now };
  await insertTemplate(db, { ...row, text, bytes });
  return presentTemplate({ ...row, ownerName: owner.name, teamName });
}
