import { limits } from "../../../contract/limits.ts";
import type { Provocation, Provoking } from "./provoking.ts";
import { userWithTexts } from "./users.ts";

export const taskErrors = ({ app, asOwner }: Provoking) => {
  /** An estimation with as many obsolete tasks as it may have, and one more that generating would make obsolete. */
  const full = async () => {
    const { data } = await asOwner("POST", "/api/estimations", { body: { title: "x" } });
    const id = String(data.estimation?.id);
    await app.pool.query(
      `insert into tasks (id, estimation_id, title, description, position, status, base_title, base_description)
       select 'tsk_' || n || $1, $1, 'x', '', n, case when n = 0 then 'open' else 'obsolete' end, 'y', ''
       from generate_series(0, $2::int) n`,
      [id, limits.obsoleteTasks],
    );
    return (below: string) => asOwner("POST", `/api/estimations/${id}/tasks${below}`);
  };
  return {
    "previewTasks limit_reached": async () => (await full())("/preview"),
    "generateTasks limit_reached": async () => (await full())("/generate"),
    "updateTask limit_reached": async () => {
      const { send, task, useUp } = await userWithTexts(app);
      await useUp();
      return send("PUT", task, { description: "more" });
    },
  } satisfies Record<string, Provocation>;
};
