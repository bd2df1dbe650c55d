import type { Client } from "../../../contract/client/client.ts";
import type { Export, ExportItem } from "../../../contract/endpoints/exports.ts";
import { contract } from "../../../contract/index.ts";
import type { Command, Tools } from "../command.ts";
import { Failure, Interrupted, UsageError } from "../failure.ts";
import { findEstimation } from "../find.ts";
import { flagsOf, type Given, only } from "../flags.ts";
import { readAll } from "../pages.ts";
import { columns, dim, red, yellow } from "../screen/style.ts";
import { cleanAll, left } from "../screen/text.ts";
import { pause } from "../stop.ts";

const fields = flagsOf(contract.exportTasks.body, {
  ...{ target: "to", connectionId: "connection", projectKey: "project", retryOf: "retry" },
});

export const exportTasks: Command = {
  takes: "ID",
  summary: "Export the open tasks as issues of a tracker, or show what an export would do",
  says: "Without --connection, the one of the last export to that tracker is taken; its id is in the web application, under Profile, Connections.\nAn export is work of the service: after Ctrl-C it goes on there, and exporting again never makes a second issue. A dry run is cancelled.",
  calls: ["exportTasks", "watchExport", "getExport", "listExports", "listExportItems", "listTasks", "cancelExport"],
  flags: fields,
  examples: [
    ["estimate export 'Web shop' --to github --repository acme/shop --dry-run", "says what would be made"],
    ["estimate export 'Web shop' --to jira --project SHOP", "exports"],
  ],
  async run([given = ""], flags, tools) {
    const { target, dryRun } = flags;
    if (target === undefined) throw new UsageError("--to names the tracker: github or jira");
    const { client } = tools.connect();
    const id = await findEstimation(client, given);
    const body = only(flags, fields);
    body.connectionId ??= await lastConnection(client, id, flags, tools);
    const started = await client.exportTasks({ params: { id }, body: body as ExportBody });
    const params = { id, exportId: started.data.export.id };
    let ended: Export;
    try {
      ended = await follow(client, started.data.export, tools);
    } catch (error) {
      if (error instanceof Interrupted) await leave(client, params, dryRun === true, tools);
      else tools.note(`Its progress: estimate api GET ${pathOf(params)}`);
      throw error;
    }
    const { items } = await readAll("items", (page) => client.listExportItems({ params, query: page }));
    if (tools.json) tools.printJson({ export: ended, items });
    else printOutcome(cleanAll(ended), cleanAll(items), await titlesOf(client, id), tools);
    if (ended.status !== "completed") throw new Failure(`the export ended as ${ended.status}`);
  },
};

type ExportBody = Parameters<Client["exportTasks"]>[0]["body"];
interface Params {
  readonly id: string;
  readonly exportId: string;
}

const pathOf = ({ id, exportId }: Params) => `/api/estimations/${id}/exports/${exportId}`;

/** Returns the connection of the last export to the same place. */
async function lastConnection(client: Client, id: string, { target, repository, projectKey }: Given, { note }: Tools) {
  const { data } = await client.listExports({ params: { id } });
  const last = data.exports.find(
    (one) =>
      one.target === target &&
      (repository === undefined || one.repository === repository) &&
      (projectKey === undefined || one.projectKey === projectKey),
  );
  if (!last)
    throw new UsageError(
      "--connection names your connection to the tracker (con_…): web application, Profile, Connections",
    );
  note(`With ${last.connectionId}, the connection of the last export there`);
  return last.connectionId;
}

/** Shows the progress of an export until it has ended, and returns it. */
async function follow(client: Client, started: Export, { stop: { signal }, progress }: Tools): Promise<Export> {
  const params = { id: started.estimationId, exportId: started.id };
  let current = started;
  const show = (state: Export): void => {
    current = state;
    const { total, created, updated, skipped, failed } = state.progress;
    progress(
      `${state.status} ${created + updated + skipped + failed} of ${total || "?"}${failed > 0 ? `, ${failed} failed` : ""}`,
    );
  };
  for (let waitMs = 500; ; waitMs = Math.min(2 * waitMs, 10_000)) {
    try {
      const { stream } = await client.watchExport({ params, signal });
      for await (const state of stream) show(state);
    } catch (error) {
      signal.throwIfAborted();
      // A stream can break at any time; what is read below does not.
      if (!(error instanceof TypeError)) throw error;
    }
    if (current.endedAt === null) show((await client.getExport({ params })).data.export);
    if (current.endedAt !== null) break;
    await pause(waitMs, signal);
  }
  progress(null);
  return current;
}

/** Says what becomes of an export that nobody waits for any more. */
async function leave(client: Client, params: Params, isDryRun: boolean, { note }: Tools): Promise<void> {
  if (isDryRun) {
    await client.cancelExport({ params }).catch(() => {});
    return note("The dry run was cancelled; it has changed nothing.");
  }
  note("The export goes on at the service.");
  note(`  Its progress: estimate api GET ${pathOf(params)}`);
  note(`  To cancel it: estimate api POST ${pathOf(params)}/cancel`);
}

/** Titles of tasks by their ids; none where the key may not read tasks. */
async function titlesOf(client: Client, id: string): Promise<ReadonlyMap<string, string>> {
  try {
    const { tasks } = await readAll("tasks", (page) => client.listTasks({ params: { id }, query: page }));
    return new Map(cleanAll(tasks).map(({ id, title }) => [id, title]));
  } catch {
    return new Map();
  }
}

const COLOURS = { failed: red, kept: yellow, gone: yellow } as const;

function printOutcome(ended: Export, items: readonly ExportItem[], titles: ReadonlyMap<string, string>, tools: Tools) {
  const { print } = tools;
  const title = Math.max(20, columns() - 12 - 2);
  for (const { taskId, outcome, reason, url, keptFields, warnings } of items) {
    const colour = COLOURS[outcome as keyof typeof COLOURS] ?? ((text: string) => text);
    const word =
      ended.dryRun && outcome === "created"
        ? "would create"
        : ended.dryRun && outcome === "updated"
          ? "would update"
          : outcome;
    print(`${colour(left(word, 12))}  ${left(titles.get(taskId) ?? taskId, title).trimEnd()}`);
    for (const more of [
      reason,
      url,
      keptFields.length > 0 ? `stays as changed there: ${keptFields.join(", ")}` : null,
      ...warnings.map(({ message }) => message),
    ])
      if (more) print(dim(`              ${more}`));
  }
  const { created, updated, skipped, failed } = ended.progress;
  const counts = Object.entries({ created, updated, skipped, failed }).filter(([, count]) => count > 0);
  print(
    `${ended.dryRun ? "Dry run, nothing was written: " : ""}${counts.map(([name, count]) => `${count} ${name}`).join(", ") || "no tasks"}.`,
  );
  if (ended.problem) print(red(`${ended.problem.message} ${ended.problem.remedy}`));
}
