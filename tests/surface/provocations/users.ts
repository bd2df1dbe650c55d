import { limits } from "../../../contract/limits.ts";
import type { TestApp } from "../../harness.ts";

/** Takes 40,000 bytes: two of them go beyond a step in which trees are accounted. */
export const LARGE = { title: "large", description: "𝄞".repeat(limits.descriptionLength) };

/** A new user with an estimation that has this tree. `send` takes a path below the estimation, or a whole one. */
async function userWithTree(app: TestApp, nodes: readonly object[]) {
  const { token, userId } = await app.signUp();
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "x" } });
  const estimationId = String(data.estimation?.id);
  const send = (method: string, at: string, body?: object) =>
    app.request(method, at.startsWith("/api/") ? at : `/api/estimations/${estimationId}${at}`, { token, body });
  const { tree } = (await send("PUT", "/tree", { nodes })).data;
  return { send, userId, estimationId, tree };
}

/** The same with the quotas of estimations and trees used up. */
export async function fullUser(app: TestApp) {
  const made = await userWithTree(app, [{ title: "n", kind: "group", options: [{ title: "o" }, LARGE] }]);
  const { id: node, options } = made.tree?.nodes?.[0] ?? {};
  const { treeBytes, estimations } = app.services.config.quotas;
  await app.pool.query("update estimation_usage set tree_steps = $1, estimations = $2 where owner_id = $3", [
    treeBytes / (64 * 1024),
    estimations,
    made.userId,
  ]);
  return { ...made, node, option: options?.[0]?.id };
}

/** The same with the quota of versions used up, and a version of another content than the present one. */
export async function userWithVersions(app: TestApp) {
  const made = await userWithTree(app, [{ title: "n", kind: "group", options: [{ title: "o" }] }]);
  const { version } = (await made.send("POST", "/versions")).data;
  await made.send("PUT", "", { title: "y" });
  const { versionBytes } = app.services.config.quotas;
  await app.pool.query("update estimation_usage set version_bytes = $1 where owner_id = $2", [
    versionBytes,
    made.userId,
  ]);
  return { ...made, version: version?.id };
}

/**
 * A new user with an estimation that has a task and a review with a comment, and the paths of both. `useUp` uses up the quota
 * of texts.
 */
export async function userWithTexts(app: TestApp) {
  const made = await userWithTree(app, [{ title: "n", kind: "group", options: [{ title: "o", hours: 1 }] }]);
  const { tasks } = (await made.send("POST", "/tasks/generate")).data;
  const reviewer = await app.signUp();
  const { review } = (await made.send("POST", "/reviews", { reviewerId: reviewer.userId })).data;
  const { comment } = (await made.send("POST", `/reviews/${review?.id}/comments`, { body: "x" })).data;
  const useUp = () =>
    app.pool.query("update estimation_usage set text_steps = $1 where owner_id = $2", [
      app.services.config.quotas.textBytes / (64 * 1024) + 1,
      made.userId,
    ]);
  return {
    ...made,
    task: `/tasks/${tasks?.[0]?.id}`,
    comment: `/reviews/${review?.id}/comments/${comment?.id}`,
    useUp,
  };
}

/** A new user with an estimation that has a node. On an instance with mails, the address is not verified. */
export const newcomer = (app: TestApp) => userWithTree(app, [{ title: "n", kind: "group" }]);
