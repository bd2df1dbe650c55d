import { expect } from "vitest";
import type { Provocation, Provoking } from "./provoking.ts";
import { userWithVersions } from "./users.ts";

export const stateErrors = ({ app, path, asOwner }: Provoking) => {
  const move = (name: string, below = path) => asOwner("POST", `${below}/${name}`);

  /** The path of a submitted estimation. */
  async function submitted(): Promise<string> {
    const { data } = await asOwner("POST", "/api/estimations", { body: { title: "x" } });
    const below = `/api/estimations/${data.estimation?.id}`;
    const nodes = [{ title: "n", kind: "group", options: [{ title: "o", hours: 1 }] }];
    await asOwner("PUT", `${below}/tree`, { body: { nodes } });
    expect((await move("submit", below)).status).toBe(200);
    return below;
  }

  const invalidTransition = () => move("mark-exported");

  const treeIncomplete = () => move("submit");

  return {
    estimation_locked: async () => asOwner("PUT", await submitted(), { body: { title: "y" } }),
    invalid_transition: invalidTransition,
    tree_incomplete: treeIncomplete,
    "submitEstimation invalid_transition": async () => move("submit", await submitted()),
    "submitEstimation tree_incomplete": treeIncomplete,
    "submitEstimation limit_reached": async () => (await userWithVersions(app)).send("POST", "/submit"),
    "markTasksGenerated invalid_transition": () => move("mark-tasks-generated"),
    "markExported invalid_transition": invalidTransition,
    "reopenEstimation invalid_transition": () => move("reopen"),
  } satisfies Record<string, Provocation>;
};
