import type { Version, versions } from "../../../contract/endpoints/versions.ts";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { listPage, type Order } from "../../http/list-page.ts";
import type { Services } from "../../services/index.ts";
import {
  accountTexts,
  bytesOfTexts,
  loadTree,
  presentEstimation,
  type ReadableEstimation,
  recordActivity,
} from "../estimations/index.ts";
import { currentText, versionText } from "./current-snapshot.ts";
import { pinVersion } from "./pin.ts";
import { presentVersion, presentWithContent } from "./present.ts";
import { restore } from "./restore.ts";
import { createVersionList, findVersion, findVersionWithSnapshot, saveLabel } from "./store.ts";

const byNumber: Order<{ readonly number: number }, number, readonly [number]> = {
  list: "versions",
  sample: [0],
  valuesOf: ({ number }) => [number],
  read: ([number]) => (Number.isInteger(number) && number > 0 && number < 2 ** 31 ? number : null),
};

/** Making, listing, reading and restoring the versions of an estimation. */
export function versionRoutes(services: Services): Handlers<typeof versions, ReadableEstimation> {
  const list = createVersionList(services.pool);
  return {
    async listVersions({ estimation, query }) {
      const find = (limit: number, before: number | null) =>
        list({ estimationId: estimation.id, thread: query.thread, limit, before });
      const page = await listPage(byNumber, query, find, limits.pageSizeInside);
      return { data: { versions: page.rows.map(presentVersion), nextCursor: page.nextCursor } };
    },

    async createVersion(call) {
      const { estimation, actor, body, db } = call;
      const tree = await loadTree(db, estimation.id);
      const { id, isNew } = await pinVersion(services, call, tree, {
        cause: "manual",
        authorId: actor.userId,
        ...body,
      });
      const version = await shown(db, estimation.id, id);
      if (isNew) {
        const between = { before: version.parents[0] ?? null, after: id };
        await recordActivity(call, "version.created", { subject: { versionId: id }, between });
      }
      const data = { version };
      return isNew ? { data } : { status: 200, data };
    },

    async getVersion({ estimation, params, db }) {
      const version = (await findVersionWithSnapshot(db, estimation.id, params.versionId)) ?? fail("not_found");
      return { data: { version: presentWithContent(version) } };
    },

    async nameVersion(call) {
      const { estimation, params, body, db } = call;
      const version = (await findVersion(db, estimation.id, params.versionId)) ?? fail("not_found");
      const { label = version.label } = body;
      if (label !== version.label) {
        await saveLabel(db, version.id, label);
        await accountTexts(db, services.quotas, estimation, bytesOfTexts(label) - bytesOfTexts(version.label));
        await recordActivity(call, "version.named", { subject: { versionId: version.id } });
      }
      return { data: { version: presentVersion({ ...version, label }) } };
    },

    async diffVersions({ estimation, actor, params, query, db }) {
      const { against = "current" } = query;
      const from = await versionText(db, estimation.id, params.versionId);
      const to =
        against === "current"
          ? await currentText(db, estimation.id, actor.userId)
          : await versionText(db, estimation.id, against);
      const difference = await services.compute.run("diffContents", { from, to }, from.length + to.length);
      return { data: { diff: { from: params.versionId, against, ...difference } } };
    },

    async restoreVersion(call) {
      const { db, actor, params } = call;
      const found = (await findVersionWithSnapshot(db, call.estimation.id, params.versionId)) ?? fail("not_found");
      const { estimation, id, keptId, isNew } = await restore(services, call, found.snapshot, actor.userId);
      if (isNew) {
        const between = { before: keptId, after: id };
        await recordActivity(call, "version.restored", { subject: { versionId: id }, after: estimation, between });
      }
      const data = { version: await shown(db, estimation.id, id), estimation: presentEstimation(estimation) };
      const { revision } = estimation;
      return isNew ? { data, revision } : { status: 200, data, revision };
    },
  };
}

async function shown(db: Queryable, estimationId: string, id: string): Promise<Version> {
  return presentVersion((await findVersion(db, estimationId, id)) ?? fail("not_found"));
}
