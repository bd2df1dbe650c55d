import { readFileSync } from "node:fs";
import type { EstimationFields } from "../contract/endpoints/estimations.ts";
import type { Task } from "../contract/endpoints/tasks.ts";
import type { Option, Tree } from "../contract/values/tree.ts";
import type { NodeInput } from "../contract/values/tree-input.ts";
import { TourFailure } from "./failure.ts";
import type { Stage } from "./stage.ts";

/** An estimation of the examples: the bodies of its two requests. */
interface Example {
  readonly estimation: Partial<EstimationFields> & Pick<EstimationFields, "title">;
  readonly tree: { nodes: NodeInput[] };
}

/** The estimation of the tour. */
export interface Plan {
  readonly estimationId: string;
  /** An option that counts, and may be given up. */
  readonly payPalId: string;
}

const example = JSON.parse(readFileSync(new URL("../examples/checkout.json", import.meta.url), "utf8")) as Example;
const part = (name: keyof Example) => `node -p "JSON.stringify(require('./examples/checkout.json').${name})"`;

/** Makes an estimation of the example, chooses, reads its hours, and generates its tasks. */
export async function estimate(stage: Stage): Promise<Plan> {
  const { client, step, refusal } = stage;
  const id = await create(stage);
  const params = { id };
  const { tree } = await step({
    title: "Import the decision tree",
    says: `A real one: a web shop's new checkout with ${optionsOf(example.tree.nodes)} options. Hours are optimistic, likely, pessimistic.`,
    call: () => client.replaceTree({ params, body: example.tree }),
    status: 200,
    bodyFrom: part("tree"),
    shows: ["ETag", "tree.nodes.title", "tree.nodes.options.title", "hours.expected", "hours.p80"],
    remember: {
      PICK_UP: { read: ({ tree }) => optionOf(tree, "Pick-up points").id, command: 'option "Pick-up points"' },
      PAYPAL: { read: ({ tree }) => optionOf(tree, "PayPal").id, command: 'option "PayPal"' },
    },
  });

  const { hours } = await step({
    title: "Read the hours",
    says: "With 80 % confidence it takes at most `p80`. Below: the roles, what makes it uncertain, and the cost.",
    call: () => client.getTreeHours({ params }),
    status: 200,
    shows: [...percentiles, "hours.byRole.role", "hours.byRole.p80", "hours.uncertainty.title", "hours.cost"],
  });
  expect(hours.p50 < hours.p80 && hours.p80 < hours.p95, "the percentiles do not rise");
  expect(hours.uncertainty.length > 0, "nothing makes the estimate uncertain");

  const chosen = await step({
    title: "Choose an option",
    says: "Should customers collect at pick-up points? The response to every change of the tree has the new hours.",
    call: () => client.selectOption({ params: { id, optionId: optionOf(tree, "Pick-up points").id } }),
    status: 200,
    shows: ["ETag", "option.title", "option.selected", ...percentiles],
  });
  expect(chosen.hours.expected > hours.expected, "choosing an option did not add to the hours");

  await refusal({
    title: "Lose no update",
    says: 'A user who still has revision "2" on the screen renames it. With `If-Match` nobody overwrites changes that they have not seen.',
    call: () => client.updateEstimation({ params, headers: { "If-Match": '"2"' }, body: { title: "Checkout" } }),
    status: 412,
    message: "revision_mismatch",
  });
  await generate(stage, id, chosen.hours.expected);
  return { estimationId: id, payPalId: optionOf(tree, "PayPal").id };
}

/** Creates the estimation and returns its id; the request comes twice, as from a client that missed the first response. */
async function create({ client, step }: Stage): Promise<string> {
  const call = () =>
    client.createEstimation({ body: example.estimation, headers: { "Idempotency-Key": "tour-checkout" } });
  const first = await step({
    title: "Create an estimation",
    says: "From here on the key is enough. The `Idempotency-Key` makes it safe to send the request again.",
    call,
    status: 201,
    bodyFrom: part("estimation"),
    shows: [
      "ETag",
      "estimation.id",
      "estimation.title",
      "estimation.status",
      "estimation.hourlyRate",
      "estimation.currency",
    ],
    remember: { ESTIMATION: { read: ({ estimation }) => estimation.id, command: "value estimation.id" } },
    undo: ({ estimation }) => client.deleteEstimation({ params: { id: estimation.id } }),
  });
  const again = await step({
    title: "Send it again",
    says: "As a client does that never got the response. It gets the first response again, and no second estimation is created.",
    call,
    status: 201,
    bodyFrom: part("estimation"),
    shows: ["ETag", "Idempotent-Replayed", "estimation.id"],
  });
  expect(again.estimation.id === first.estimation.id, "the repeated request made a second estimation");
  return first.estimation.id;
}

async function generate({ client, step }: Stage, id: string, expectedHours: number): Promise<void> {
  const params = { id };
  const preview = await step({
    title: "Preview the tasks",
    says: "One for each option that counts, grouped as in the tree; their hours add up to the estimate. Nothing is stored yet.",
    call: () => client.previewTasks({ params }),
    status: 200,
    shows: tasks,
  });
  expect(
    hundredths(preview.tasks) === Math.round(expectedHours * 100),
    "the tasks' hours do not add up to the estimate",
  );
  const generated = await step({
    title: "Generate the tasks",
    says: "The same, stored.",
    call: () => client.generateTasks({ params }),
    status: 200,
    shows: tasks,
  });
  expect(JSON.stringify(preview) === JSON.stringify(generated), "generating gave other tasks than the preview");
}

export const percentiles = ["hours.expected", "hours.p50", "hours.p80", "hours.p95"];
const tasks = ["tasks.title", "tasks.hours", "summary"];

const hundredths = (tasks: readonly Task[]): number =>
  tasks.reduce((sum, { hours }) => sum + Math.round((hours ?? 0) * 100), 0);

export function expect(held: boolean, otherwise: string): void {
  if (!held) throw new TourFailure(otherwise);
}

/** How many options a tree has. */
const optionsOf = (nodes: readonly NodeInput[] = []): number =>
  nodes.flatMap(({ options = [] }) => options).reduce((count, { nodes }) => count + 1 + optionsOf(nodes), 0);

function optionOf(tree: Tree, title: string): Option {
  const all = (options: readonly Option[]): Option[] =>
    options.flatMap((option) => [option, ...all(option.nodes.flatMap((node) => node.options))]);
  const found = all(tree.nodes.flatMap((node) => node.options)).find((option) => option.title === title);
  if (!found) throw new TourFailure(`the imported tree has no option "${title}"`);
  return found;
}
