import type { Export } from "../../../contract/endpoints/exports.ts";
import { until } from "../until.ts";
import type { Stage } from "./stage.ts";

export interface Estimation {
  readonly id: string;
  readonly taskIds: readonly string[];
  readonly parents: ReadonlyMap<string, string | null>;
}

/** Makes an estimation of groups with options, each of which becomes a task. */
export async function makeEstimation(
  { client }: Stage,
  title: string,
  groups: number,
  options: number,
): Promise<Estimation> {
  const { id } = (await client.createEstimation({ body: { title } })).data.estimation;
  const option = (title: string) => ({ title, hours: 8 });
  const nodes = Array.from({ length: groups }, (_, at) => ({
    title: `Part ${at}`,
    kind: "group" as const,
    options: Array.from({ length: options }, (_, of) => option(`Piece ${at}.${of}`)),
  }));
  await client.replaceTree({ params: { id }, body: { nodes } });
  const { tasks } = (await client.generateTasks({ params: { id } })).data;
  return {
    id,
    taskIds: tasks.map((task) => task.id),
    parents: new Map(tasks.map((task) => [task.id, task.parentTaskId])),
  };
}

/** Exports an estimation while nothing goes wrong; returns the run as it ended. */
export async function exportAll(stage: Stage, { id }: Pick<Estimation, "id">): Promise<Export> {
  const run = await start(stage, id);
  return goOnUntil(stage, id, run.id, isOver);
}

export const isOver = ({ status, resumable }: Export): boolean =>
  status !== "queued" && status !== "running" && !resumable;

export async function start({ client, connectionId, tracker }: Stage, id: string): Promise<Export> {
  const body = { ...tracker.destination, connectionId };
  return (await client.exportTasks({ params: { id }, body })).data.export;
}

/** Waits until `holds`, and resumes the run as a person does whenever it has ended before its tasks were done. */
export async function goOnUntil(
  stage: Stage,
  id: string,
  exportId: string,
  holds: (run: Export) => boolean,
): Promise<Export> {
  let last: Export | undefined;
  await goOnWhile(stage, id, exportId, (run) => {
    last = run;
    return run === undefined || !holds(run);
  });
  return last as Export;
}

/** As {@link goOnUntil}, but continues without the run (undefined) while the database is down. */
export async function goOnWhile(
  { client, tracker: { fake } }: Stage,
  id: string,
  exportId: string,
  holds: (run: Export | undefined) => boolean,
): Promise<void> {
  const params = { id, exportId };
  await until(
    "the export goes on",
    async () => {
      const run = await client.getExport({ params }).then(
        ({ data }) => data.export,
        () => undefined,
      );
      if (run?.resumable) await client.resumeExport({ params }).catch(() => {});
      return !holds(run);
    },
    () => fake.asked.length,
  );
}
