import type { Provocation, Provoking } from "./provoking.ts";
import { fullUser, LARGE } from "./users.ts";

export const estimationErrors = ({ app }: Provoking) =>
  ({
    "createEstimation limit_reached": async () =>
      (await fullUser(app)).send("POST", "/api/estimations", { title: "y" }),
    "restoreDeletedEstimation limit_reached": async () => {
      const { send } = await fullUser(app);
      await send("DELETE", "");
      await send("POST", "/api/estimations", { title: "y" });
      return send("POST", "/restore-deleted");
    },
    "duplicateEstimation limit_reached": async () => (await fullUser(app)).send("POST", "/duplicate"),
    "getPortfolio not_found": async () => (await fullUser(app)).send("GET", `/api/portfolio?ids=est_${"0".repeat(26)}`),
    "createExamples limit_reached": async () =>
      (await fullUser(app)).send("POST", "/api/estimations/examples", undefined),
    "importEstimation limit_reached": async () =>
      (await fullUser(app)).send("POST", "/api/estimations/import", { format: "outline", content: "# y" }),
    "replaceTree limit_reached": async () =>
      (await fullUser(app)).send("PUT", "/tree", { nodes: [{ title: "n", kind: "group", options: [LARGE, LARGE] }] }),
    "createNode limit_reached": async () =>
      (await fullUser(app)).send("POST", "/tree/nodes", { ...LARGE, kind: "group" }),
    "updateNode limit_reached": async () => {
      const { send, node } = await fullUser(app);
      return send("PATCH", `/tree/nodes/${node}`, LARGE);
    },
    "createOption limit_reached": async () => {
      const { send, node } = await fullUser(app);
      return send("POST", `/tree/nodes/${node}/options`, LARGE);
    },
    "updateOption limit_reached": async () => {
      const { send, option } = await fullUser(app);
      return send("PATCH", `/tree/options/${option}`, LARGE);
    },
  }) satisfies Record<string, Provocation>;
