import type { templates } from "../../../contract/endpoints/templates.ts";
import { satisfies } from "../../../contract/scopes.ts";
import { presentHours } from "../../../domain/tree/hours/present-hours.ts";
import { rollUp } from "../../../domain/tree/hours/roll-up.ts";
import { fail } from "../../http/failure.ts";
import type { Actor, Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import { inTurn } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import { recordIdentityEvent } from "../audit-log/index.ts";
import { presentEstimation, type ReadableEstimation, recordActivity } from "../estimations/index.ts";
import { lockMembership } from "../teams/index.ts";
import { apply } from "./apply.ts";
import { createTemplate } from "./create.ts";
import { presentTemplate } from "./present.ts";
import { findTemplate, findTemplateWithTree, listTemplates, makePrivate, removeTemplate } from "./store.ts";
import { updateTemplate } from "./update.ts";
import { listUses, noteUse } from "./uses-store.ts";

const newestFirst = byId("templates");

const mayReadEstimations = ({ credential, scopes }: Actor): boolean =>
  credential === "session" || satisfies(scopes, "estimations:read");

/**
 * Making, listing, reading, changing, deleting and applying templates. A template that a user may not see gets the response of one that
 * does not exist.
 */
export function templateRoutes(services: Services): Handlers<typeof templates, ReadableEstimation> {
  return {
    async listTemplates({ actor, query, db }) {
      const find = (limit: number, afterId: string | null) =>
        listTemplates(db, { userId: actor.userId, q: query.q, ownerId: query.ownerId, limit, afterId });
      const page = await listPage(newestFirst, query, find);
      return { data: { templates: page.rows.map(presentTemplate), nextCursor: page.nextCursor } };
    },

    async createTemplate(call) {
      return { data: { template: await createTemplate(services, call) } };
    },

    async getTemplate({ actor, params, db }) {
      const row = (await findTemplateWithTree(db, params.id, actor.userId)) ?? fail("not_found");
      const uses = mayReadEstimations(actor) ? await listUses(db, params.id, actor.userId) : [];
      const usedIn = uses.map(({ appliedAt, ...use }) => ({ ...use, appliedAt: appliedAt.toISOString() }));
      return { data: { template: { ...presentTemplate(row), tree: row.tree, usedIn } } };
    },

    async updateTemplate(call) {
      return { data: { template: await updateTemplate(services, call) } };
    },

    async deleteTemplate(call) {
      const { actor, params, db } = call;
      const row = (await findTemplate(db, params.id, actor.userId)) ?? fail("not_found");
      if (row.ownerId !== actor.userId) {
        const membership = row.teamId === null ? null : await lockMembership(db, row.teamId, actor.userId);
        if (membership?.role !== "admin") fail("forbidden");
        await makePrivate(db, row.id);
        await recordIdentityEvent(db, services, { ...call, userId: actor.userId, event: "team.template_ended" });
        return { data: { template: presentTemplate({ ...row, visibility: "private", teamId: null }) } };
      }
      if (!(await removeTemplate(db, row.id, actor.userId))) fail("not_found");
      return { data: { template: presentTemplate(row) } };
    },

    async applyTemplate(call) {
      const { actor, body, db } = call;
      const template = (await findTemplateWithTree(db, body.templateId, actor.userId)) ?? fail("not_found");
      const application = { template, mode: body.mode, authorId: actor.userId };
      const { estimation, tree, treeBytes, undoVersionId, versionId } = await apply(services, call, application);
      await noteUse(db, { templateId: template.id, estimationId: estimation.id, appliedAt: call.now });
      await recordActivity(call, "template.applied", {
        subject: { versionId, templateId: body.templateId },
        after: estimation,
        between: { before: undoVersionId, after: versionId },
      });
      const hours = await inTurn(treeBytes, () => presentHours(rollUp(tree, estimation)));
      return {
        data: { estimation: presentEstimation(estimation), hours, undoVersionId, versionId },
        revision: estimation.revision,
      };
    },
  };
}
