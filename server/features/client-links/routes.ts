import type { clientLinks } from "../../../contract/endpoints/client-links.ts";
import { limits } from "../../../contract/limits.ts";
import { defaultStep } from "../../../domain/client-links/publish.ts";
import type { LinkSettings } from "../../../domain/client-links/shape.ts";
import { aboutBytes } from "../../../domain/tree/check/about-bytes.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import { parseTimestamp } from "../../platform/timestamp.ts";
import type { Services } from "../../services/index.ts";
import {
  accountTexts,
  type ContentCall,
  loadTimeline,
  loadTree,
  presentEstimation,
  type ReadableEstimation,
  recordActivity,
  webPages,
} from "../estimations/index.ts";
import { findVersionWithSnapshot, pinVersion, presentVersion, snapshotOf } from "../versions/index.ts";
import { listAnswers } from "./answer-store.ts";
import { applyAcceptance } from "./apply.ts";
import { presentAnswer, presentLink } from "./present.ts";
import { proposalRoutes } from "./proposal-routes.ts";
import { publicationOf, refuseToTellRate } from "./publish.ts";
import { countLinks, findLink, insertLink, type LinkRow, listLinks, updateLink } from "./store.ts";
import { hashOfLinkToken, makeLinkToken } from "./token.ts";

const newestFirst = byId("client-links");
const oldestFirst = byId("client-links.answers");

/** Making, publishing and revoking links to pages for clients, and what these pages show. */
export function clientLinkRoutes(services: Services): Handlers<typeof clientLinks, ReadableEstimation> {
  const shown = async (db: Queryable, estimationId: string, linkId: string, now: Date) => ({
    link: presentLink((await findLink(db, estimationId, linkId)) ?? fail("not_found"), now),
  });

  /** Returns a link that can be changed. Refuses (404, 409) any other. */
  const demandStanding = async (db: Queryable, estimationId: string, linkId: string): Promise<LinkRow> => {
    const link = (await findLink(db, estimationId, linkId)) ?? fail("not_found");
    return link.revokedAt === null ? link : fail("link_revoked");
  };

  /** Makes a version of the current content, and returns it with what it says. */
  const pin = async (call: ContentCall) => {
    const { db, estimation, actor } = call;
    const tree = await loadTree(db, estimation.id);
    const { id: versionId } = await pinVersion(services, call, tree, { cause: "link", authorId: actor.userId });
    const snapshot = snapshotOf(estimation, tree, await loadTimeline(db, estimation.id));
    return { versionId, snapshot, bytes: aboutBytes(tree.nodes) };
  };

  return {
    async listClientLinks({ estimation, query, db, now }) {
      const find = (limit: number, afterId: string | null) => listLinks(db, estimation.id, limit, afterId);
      const { rows, nextCursor } = await listPage(newestFirst, query, find, limits.pageSizeInside);
      return { data: { links: rows.map((row) => presentLink(row, now)), nextCursor } };
    },

    async createClientLink(call) {
      const { estimation, actor, body, db, now } = call;
      const { title = null, expiresAt = null, confirmRate = false, step: asked, ...chosen } = body;
      if (!confirmRate) await refuseToTellRate(db, estimation.id, chosen.shows);
      const used = async () => 1 + (await countLinks(db, estimation.id));
      await services.quotas.reserve(db, { quota: "linksPerEstimation", used });
      const { versionId, snapshot, bytes } = await pin(call);
      const settings = { ...chosen, step: asked ?? defaultStep(snapshot, chosen, limits.linkStepMax) };
      const publication = await publicationOf(services, db, snapshot, settings, bytes);
      const token = makeLinkToken();
      const id = services.ids.next("link");
      await insertLink(db, {
        ...settings,
        ...publication,
        ...{ id, estimationId: estimation.id, creatorId: actor.userId, title, versionId, edition: 1 },
        tokenHash: hashOfLinkToken(token) as Buffer,
        createdAt: now,
        publishedAt: now,
        expiresAt: expiresAt === null ? null : parseTimestamp(expiresAt),
      });
      await accountTexts(db, services.quotas, estimation, publication.bytes);
      await recordActivity(call, "link.created", { subject: { linkId: id, versionId } });
      const url = webPages.proposal(services.config.webUrl, token);
      return { data: { ...(await shown(db, estimation.id, id, now)), url } };
    },

    getClientLink: async ({ estimation, params, db, now }) => ({
      data: await shown(db, estimation.id, params.linkId, now),
    }),

    async updateClientLink(call) {
      const { estimation, params, body, db, now } = call;
      const link = await demandStanding(db, estimation.id, params.linkId);
      const { title = link.title, expiresAt, confirmRate = false, ...changed } = body;
      const settings = settingsOf({ ...link, ...changed });
      const isSame = Object.entries(settings).every(([name, value]) => link[name as keyof LinkSettings] === value);
      if (!(isSame && title === link.title) && link.acceptedAt !== null) fail("proposal_accepted");
      const published = { title, edition: link.edition + 1, publishedAt: now };
      if (!isSame) {
        // Whoever has read this link may remember what it showed.
        if (settings.shows !== link.shows && !confirmRate) await refuseToTellRate(db, estimation.id, settings.shows);
        const version = (await findVersionWithSnapshot(db, estimation.id, link.versionId)) ?? fail("not_found");
        const bytes = aboutBytes(version.snapshot.tree.nodes);
        const publication = await publicationOf(services, db, version.snapshot, settings, bytes);
        await updateLink(db, link.id, { ...settings, ...publication, ...published });
        await accountTexts(db, services.quotas, estimation, publication.bytes - link.bytes);
      } else if (title !== link.title) await updateLink(db, link.id, published);
      const until = expiresAt === undefined ? link.expiresAt : expiresAt === null ? null : parseTimestamp(expiresAt);
      const isMoved = until?.getTime() !== link.expiresAt?.getTime();
      if (isMoved) await updateLink(db, link.id, { expiresAt: until });
      if (!isSame || title !== link.title || isMoved)
        await recordActivity(call, "link.changed", { subject: { linkId: link.id } });
      return { data: await shown(db, estimation.id, link.id, now) };
    },

    async publishClientLink(call) {
      const { estimation, params, db, now } = call;
      const link = await demandStanding(db, estimation.id, params.linkId);
      if (link.acceptedAt !== null) fail("proposal_accepted");
      const { versionId, snapshot, bytes } = await pin(call);
      if (versionId !== link.versionId) {
        const publication = await publicationOf(services, db, snapshot, settingsOf(link), bytes);
        await updateLink(db, link.id, { ...publication, versionId, edition: link.edition + 1, publishedAt: now });
        await accountTexts(db, services.quotas, estimation, publication.bytes - link.bytes);
        await recordActivity(call, "link.published", { subject: { linkId: link.id, versionId } });
      }
      return { data: await shown(db, estimation.id, link.id, now) };
    },

    async deleteClientLink(call) {
      const { estimation, params, db, now } = call;
      const link = (await findLink(db, estimation.id, params.linkId)) ?? fail("not_found");
      if (link.revokedAt === null) {
        await updateLink(db, link.id, { revokedAt: now, published: null, bytes: 0 });
        await accountTexts(db, services.quotas, estimation, -link.bytes);
        await recordActivity(call, "link.revoked", { subject: { linkId: link.id } });
      }
      return { data: await shown(db, estimation.id, link.id, now) };
    },

    async listClientAnswers({ estimation, params, query, db }) {
      const { id } = (await findLink(db, estimation.id, params.linkId)) ?? fail("not_found");
      const find = (limit: number, afterId: string | null) => listAnswers(db, id, limit, afterId);
      const { rows, nextCursor } = await listPage(oldestFirst, query, find, limits.pageSizeInside);
      return { data: { answers: rows.map(presentAnswer), nextCursor } };
    },

    async applyAcceptance(call) {
      const { params, db, now } = call;
      const link = (await findLink(db, call.estimation.id, params.linkId)) ?? fail("not_found");
      const { estimation, version, keptId } = await applyAcceptance(services, call, link.id);
      await updateLink(db, link.id, { appliedAt: now });
      await recordActivity(call, "proposal.applied", {
        ...{ subject: { linkId: link.id, versionId: version.id }, after: estimation },
        between: { before: keptId, after: version.id },
      });
      const data = {
        ...(await shown(db, estimation.id, link.id, now)),
        ...{ version: presentVersion(version), estimation: presentEstimation(estimation) },
      };
      return { data, revision: estimation.revision };
    },

    ...proposalRoutes(services),
  };
}

const settingsOf = ({ shows, percentile, choices, descriptions, step }: LinkSettings): LinkSettings => ({
  ...{ shows, percentile, choices, descriptions, step },
});
