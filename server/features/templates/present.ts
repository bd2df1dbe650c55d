import type { Template } from "../../../contract/endpoints/templates.ts";
import type { TemplateRow } from "./store.ts";

/** Returns a template as the API shows it, without its tree. */
export const presentTemplate = (row: TemplateRow): Template => ({
  id: row.id,
  name: row.name,
  description: row.description,
  visibility: row.visibility,
  team: row.teamId === null ? null : { id: row.teamId, name: row.teamName ?? "" },
  owner: { id: row.ownerId, name: row.ownerName },
  nodes: row.nodes,
  options: row.options,
  createdAt: row.createdAt.toISOString(),
});
