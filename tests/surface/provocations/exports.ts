import { limits } from "../../../contract/limits.ts";
import type { Provocation, Provoking } from "./provoking.ts";

const nodes = [{ title: "Set-up", kind: "group", options: [{ title: "Build server", hours: 8 }] }];

export const exportErrors = ({ app, asOwner }: Provoking) => {
  /** An estimation with tasks, or without, whose exports no worker runs. */
  const stage = async ({ withTasks = true } = {}) => {
    const { data } = await asOwner("POST", "/api/estimations", { body: { title: "x" } });
    const id = String(data.estimation?.id);
    const send = (method: string, below: string, body?: object) =>
      asOwner(method, `/api/estimations/${id}${below}`, { body });
    if (withTasks) {
      await send("PUT", "/tree", { nodes });
      await send("POST", "/tasks/generate");
    }
    const made = await asOwner("POST", "/api/connections", { body: { target: "github", name: "x", token: "ghp_x" } });
    const body = { target: "github", connectionId: made.data.connection?.id, repository: "acme/shop" };
    const start = (more: object = {}) => send("POST", "/tasks/export", { ...body, ...more });
    return { id, send, start };
  };
  const started = async () => {
    const { send, start, id } = await stage();
    const { data } = await start();
    return { id, send, start, path: `/exports/${data.export?.id}` };
  };
  /** An export that has ended as `status`. */
  const ended = async (status: string) => {
    const of = await started();
    await app.pool.query("update export_runs set status = $2 where estimation_id = $1", [of.id, status]);
    return of;
  };
  /** An export that has ended as `status`, whose connection has as many others under way as it may. */
  const endedBesideOthers = async (status: string) => {
    const of = await ended(status);
    await app.pool.query(
      `insert into export_runs
       select (jsonb_populate_record(r, jsonb_build_object('id', 'exp_' || n || r.id, 'target', 't' || n, 'status', 'queued'))).*
       from export_runs r, generate_series(1, $2::int) n where r.estimation_id = $1`,
      [of.id, limits.exportsPerConnection],
    );
    return of;
  };
  const besideOthers = (status: string, action: string) => async () => {
    const { path, send } = await endedBesideOthers(status);
    return send("POST", `${path}/${action}`);
  };
  const inProgress = async () => (await started()).start();
  const resumedAgain = async () => {
    const { path, send, start } = await ended("cancelled");
    await start();
    return send("POST", `${path}/resume`);
  };
  const meanwhile = (action: string) => async () => {
    const { path, send } = await started();
    return send("POST", `${path}/${action}`);
  };
  const endedAlready = async () => {
    const { path, send } = await ended("completed");
    return send("POST", `${path}/cancel`);
  };
  const notResumable = async () => {
    const { path, send } = await ended("completed");
    return send("POST", `${path}/resume`);
  };
  const withoutTasks = async () => (await stage({ withTasks: false })).start();
  return {
    export_in_progress: inProgress,
    export_ended: endedAlready,
    export_not_resumable: notResumable,
    tasks_missing: withoutTasks,
    "exportTasks export_in_progress": inProgress,
    "exportTasks tasks_missing": withoutTasks,
    "exportTasks limit_reached": async () => (await endedBesideOthers("completed")).start(),
    "resumeExport limit_reached": besideOthers("cancelled", "resume"),
    "pullExport limit_reached": besideOthers("completed", "pull"),
    "closeObsolete limit_reached": besideOthers("completed", "close-obsolete"),
    "cancelExport export_ended": endedAlready,
    "resumeExport export_in_progress": resumedAgain,
    "resumeExport export_not_resumable": notResumable,
    "pullExport export_in_progress": meanwhile("pull"),
    "closeObsolete export_in_progress": meanwhile("close-obsolete"),
  } satisfies Record<string, Provocation>;
};
