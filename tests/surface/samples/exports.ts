import type { exports } from "../../../contract/endpoints/exports.ts";
import type { ConnectionRecords } from "./connections.ts";
import type { EstimationRecords } from "./estimations.ts";
import type { Making, Samples } from "./noun.ts";
import type { StateRecords } from "./states.ts";
import type { TaskRecords } from "./tasks.ts";

export interface ExportRecords {
  /** An export that ended before its tasks were done. */
  readonly export: string;
  /** One that is under way, of the estimation with generated tasks. */
  readonly exportUnderWay: string;
}

interface Needed extends ConnectionRecords, EstimationRecords, StateRecords, TaskRecords {}

/** Starts exports that no worker runs, and lets one of them end as if its token had been refused. */
export async function makeExports({ app, call }: Making, needed: Needed): Promise<ExportRecords> {
  const { connection: connectionId, estimation, withTasksGenerated } = needed;
  const start = async (id: string) => {
    const body = { target: "github", connectionId, repository: "acme/shop" };
    return String((await call("POST", `/api/estimations/${id}/tasks/export`, body)).export?.id);
  };
  const end = (id: string) =>
    app.pool.query(
      `update export_runs set status = 'failed', ended_at = created_at, updated_at = created_at, total = 3, created = 1, failed = 1, problem = $2
       where id = $1`,
      [
        id,
        {
          code: "token_rejected",
          message: "The tracker refuses the token of the connection.",
          remedy: "Give the connection a new token, then resume the export.",
        },
      ],
    );
  await end(await start(estimation));
  const ended = await start(estimation);
  await end(ended);
  await app.pool.query(
    `insert into export_items (export_id, number, task_id, level, outcome, reason, url, kept_fields, warnings)
     select $1, (row_number() over (order by t.position))::int - 1, t.id, 0,
       case when t.position = 0 then 'created' else 'failed' end,
       case when t.position > 0 then 'GitHub: Validation Failed' end,
       case when t.position = 0 then 'https://github.com/acme/shop/issues/12' end, '{}', '[]'
     from tasks t where t.estimation_id = $2`,
    [ended, estimation],
  );
  await call("POST", `/api/estimations/${withTasksGenerated}/tasks/generate`);
  return { export: ended, exportUnderWay: await start(withTasksGenerated) };
}

export const exportSamples: Samples<typeof exports> = {
  exportTasks: ({ estimation, connection }) => ({
    params: { id: estimation },
    body: { target: "github", connectionId: connection, repository: "acme/shop" },
  }),
  listExports: ({ estimation }) => ({ params: { id: estimation } }),
  getExport: ({ estimation, export: exportId }) => ({ params: { id: estimation, exportId } }),
  listExportItems: ({ estimation, export: exportId }) => ({ params: { id: estimation, exportId } }),
  watchExport: ({ estimation, export: exportId }) => ({ params: { id: estimation, exportId } }),
  cancelExport: ({ withTasksGenerated, exportUnderWay }) => ({
    params: { id: withTasksGenerated, exportId: exportUnderWay },
  }),
  resumeExport: ({ estimation, export: exportId }) => ({ params: { id: estimation, exportId } }),
  pullExport: ({ estimation, export: exportId }) => ({ params: { id: estimation, exportId }, body: {} }),
  closeObsolete: ({ estimation, export: exportId }) => ({ params: { id: estimation, exportId }, body: {} }),
};
