import type { Provocation, Provoking } from "./provoking.ts";
import { fullUser } from "./users.ts";

export const timelineErrors = ({ app }: Provoking) => {
  /** A user at the quotas of estimations and trees, with a timeline that is accounted from its next byte on. */
  async function fullUserWithTimeline() {
    const { send, node, estimationId } = await fullUser(app);
    const milestone = { id: `mst_${"0".repeat(26)}`, title: "", dueDate: "2027-03-01", nodeIds: [], taskIds: [] };
    const bytes = 64 * 1024 - 1;
    const title = "x".repeat(bytes - JSON.stringify([milestone]).length);
    await app.pool.query("insert into timelines (estimation_id, milestones, bytes) values ($1, $2::json, $3)", [
      estimationId,
      JSON.stringify([{ ...milestone, title }]),
      bytes,
    ]);
    return { send, node, milestone: milestone.id };
  }

  return {
    "updateTimeline limit_reached": async () =>
      (await fullUserWithTimeline()).send("PUT", "/timeline", { hoursPerDay: 6 }),
    "createMilestone limit_reached": async () =>
      (await fullUserWithTimeline()).send("POST", "/milestones", { title: "x", dueDate: "2027-03-01" }),
    "updateMilestone limit_reached": async () => {
      const { send, node, milestone } = await fullUserWithTimeline();
      return send("PATCH", `/milestones/${milestone}`, { nodeIds: [node] });
    },
  } satisfies Record<string, Provocation>;
};
