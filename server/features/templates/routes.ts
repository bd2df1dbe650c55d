import type { templates } from "../../../contract/endpoints/templates.ts";
import { presentHours } from "../../../domain/tree/hours/present-hours.ts";
import { rollUp } from "../../../domain/tree/hours/roll-up.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import { inTurn } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import { presentEstimation, type ReadableEstimation, recordActivity } from "../estimations/index.ts";
import { apply } from "./apply.ts";
import { createTemplate } from "./create.ts";
import { presentTemplate } from "./present.ts";
import { findTemplate, findTemplateWithTree, listTemplates, removeTemplate } from "./store.ts";

const newestFirst = byId("templates");

/**
 * Making, listing, reading, deleting and applying templates. A template that a user may not see gets the response of one that
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
      return { data: { template: { ...presentTemplate(row), tree: row.tree } } };
    },

    async deleteTemplate({ actor, params, db }) {
      const row = (await findTemplate(db, params.id, actor.userId)) ?? fail("not_found");
      if (row.ownerId !== actor.userId) fail("forbidden");
      if (!(await removeTemplate(db, row.id, actor.userId))) fail("not_found");
      return { data: { template: presentTemplate(row) } };
    },

    async applyTemplate(call) {
      const { actor, body, db } = call;
      const template = (await findTemplateWithTree(db, body.templateId, actor.userId)) ?? fail("not_found");
      const application = { template, mode: body.mode, authorId: actor.userId };
      const { estimation, tree, treeBytes, undoVersionId, versionId } = await apply(services, call, application);
      await recordActivity(call, "template.applied", {
        subject: { versionId, templateId: body.templateId },
        after: estimation,
      });
      const hours = await inTurn(treeBytes, () => presentHours(rollUp(tree, estimation)));
      return {
        data: { estimation: presentEstimation(estimation), hours, undoVersionId, versionId },
        revision: estimation.revision,
      };
    },
  };
}
