import type { GenerationSummary, Task } from "../../../contract/endpoints/tasks.ts";
import { contract } from "../../../contract/index.ts";
import type { Command, Tools } from "../command.ts";
import { UsageError } from "../failure.ts";
import { findEstimation } from "../find.ts";
import { flagsOf, only } from "../flags.ts";
import { readAll } from "../pages.ts";
import { figure } from "../screen/figures.ts";
import { bold, columns, dim, yellow } from "../screen/style.ts";
import { cleanAll, left, right } from "../screen/text.ts";

const filters = flagsOf(contract.listTasks.query, { limit: null, cursor: null });

export const tasks: Command = {
  takes: "ID",
  summary: "List the tasks of an estimation, or generate them from the tree",
  calls: ["listTasks", "previewTasks", "generateTasks"],
  flags: [
    ...filters,
    { name: "preview", field: "preview", kind: "switch", says: "Shows what generating would make, without storing it" },
    { name: "generate", field: "generate", kind: "switch", says: "Generates them: what people changed stays" },
  ],
  examples: [
    ["estimate tasks 'Web shop'", "lists them"],
    ["estimate tasks 'Web shop' --preview", "shows what generating would change"],
    ["estimate tasks 'Web shop' --generate", "generates them"],
  ],
  async run([given = ""], { preview, generate, ...rest }, tools) {
    if (preview && generate) throw new UsageError("--preview and --generate exclude each other");
    const { client } = tools.connect();
    const params = { id: await findEstimation(client, given) };
    if (preview || generate) {
      const { data } = preview ? await client.previewTasks({ params }) : await client.generateTasks({ params });
      if (tools.json) return tools.printJson(data);
      printTasks(cleanAll(data.tasks), tools);
      return printSummary(cleanAll(data.summary), preview === true, tools);
    }
    const query = only(rest, filters);
    const data = await readAll("tasks", (page) => client.listTasks({ params, query: { ...query, ...page } }));
    if (tools.json) return tools.printJson(data);
    printTasks(cleanAll(data.tasks), tools);
  },
};

function printTasks(tasks: readonly Task[], { print, note }: Tools): void {
  if (tasks.length === 0) {
    note("No tasks: estimate tasks ID --generate makes them.");
    return;
  }
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const depthOf = (task: Task | undefined): number =>
    task?.parentTaskId ? 1 + depthOf(byId.get(task.parentTaskId)) : 0;
  const title = Math.max(20, columns() - 9 - 2 - 10 - 2 - 14);
  print(bold(`${left("Task", title)}${right("hours", 9)}  ${left("role", 10)}  state`));
  for (const task of tasks) {
    const { hours, role, externalRef } = task;
    const indented = "  ".repeat(depthOf(task)) + task.title;
    const line = `${left(indented, title)}${right(hours === null ? "" : figure(hours), 9)}  ${left(role ?? "", 10)}  `;
    print(
      `${line}${stateOf(task)}${externalRef ? dim(` ${left(externalRef.key.replace(/^.*#/, "#"), 8).trimEnd()}`) : ""}`,
    );
  }
}

function stateOf({ status, doneAt, droppedAt, edited }: Task): string {
  if (status === "obsolete") return yellow("obsolete");
  if (doneAt !== null) return "done";
  if (droppedAt !== null) return yellow("dropped");
  return edited ? "edited" : "open";
}

function printSummary(summary: GenerationSummary, isPreview: boolean, { print }: Tools): void {
  const { created, updated, unchanged, removed, obsolete, conflicts } = summary;
  const parts = Object.entries({ created, updated, unchanged, removed, obsolete }).filter(([, count]) => count > 0);
  print("");
  print(
    `${isPreview ? "Would be: " : ""}${parts.map(([name, count]) => `${count} ${name}`).join(", ") || "nothing to do"}.`,
  );
  for (const { field, yours, theirs } of conflicts)
    print(yellow(`The ${field} stays ${JSON.stringify(yours)}; the tree now says ${JSON.stringify(theirs)}.`));
}
