import type { Template, templates } from "../../../contract/endpoints/templates.ts";
import { fail } from "../../http/failure.ts";
import type { Call } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { demandVerified, findUser, requireCaller } from "../auth/index.ts";
import { presentTemplate } from "./present.ts";
import { changeTemplate, findTemplate, measureTemplates } from "./store.ts";
import { demandTeamFor, teamNameFor } from "./visible-to.ts";

/**
 * Changes the name and description of a template of the caller, and who sees it. Refuses (403) a template of somebody else, and
 * to show one to others if the caller is not verified, or could not change the estimation that it was made of; (409) more
 * templates for the instance than a user may have.
 */
export async function updateTemplate(
  { config, quotas }: Services,
  { actor, body, db, params }: Call<typeof templates.updateTemplate>,
): Promise<Template> {
  const owner = requireCaller(await findUser(db, actor.userId));
  // Locks the owner's row, so that the templates of the instance are counted by one request at a time.
  const had = await measureTemplates(db, owner.id);
  const row = (await findTemplate(db, params.id, owner.id)) ?? fail("not_found");
  if (row.ownerId !== owner.id) fail("forbidden");
  const { name = row.name, description = row.description, visibility = row.visibility } = body;
  const teamId = body.teamId ?? (visibility === "team" ? (row.teamId ?? undefined) : undefined);
  demandTeamFor(visibility, teamId);
  const shown = { visibility, teamId: teamId ?? null };
  const isSeenAnew = visibility !== row.visibility || shown.teamId !== row.teamId;
  let { teamName } = row;
  if (isSeenAnew) {
    if (visibility !== "private") demandVerified(owner, { config });
    if (visibility !== "private" && !row.showable) fail("forbidden");
    teamName = await teamNameFor(db, teamId, owner.id);
    if (visibility === "instance")
      await quotas.reserve(db, { quota: "instanceTemplates", used: () => had.ofInstance + 1 });
  }
  const changes = { name, description, ...(isSeenAnew ? shown : {}) };
  if (isSeenAnew || name !== row.name || description !== row.description) await changeTemplate(db, row.id, changes);
  return presentTemplate({ ...row, ...changes, teamName });
}
