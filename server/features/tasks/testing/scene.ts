import type { GenerationSummary, Task, TaskChanges } from "../../../../contract/endpoints/tasks.ts";
import type { Tree } from "../../../../contract/values/tree.ts";
import type { NodeInput } from "../../../../contract/values/tree-input.ts";
import type { Response, TestApp, TestUser } from "../../../../tests/harness.ts";

export interface Run {
  readonly tasks: Task[];
  readonly summary: GenerationSummary;
}

/** An estimation of a user, and what a test does with it. */
export interface Scene {
  readonly user: TestUser;
  readonly path: string;
  readonly estimationId: string;
  /** The current tree. */
  tree(): Promise<Tree>;
  replaceTree(nodes: readonly NodeInput[]): Promise<void>;
  preview(): Promise<Run>;
  generate(): Promise<Run>;
  /** The first page of tasks. */
  list(query?: string): Promise<{ tasks: Task[]; nextCursor: string | null }>;
  update(taskId: string, changes: TaskChanges): Promise<Task>;
}

/** Creates an estimation with this tree, of `user` or of a new one. */
export async function setScene(app: TestApp, nodes: readonly NodeInput[], user?: TestUser): Promise<Scene> {
  const owner = user ?? (await app.signUp());
  const call = async (method: string, path: string, body?: unknown) =>
    expectSuccess(await app.request(method, path, { token: owner.token, body }));
  const created = await call("POST", "/api/estimations", { title: "Shop" });
  const estimationId = String(created.data.estimation?.id);
  const path = `/api/estimations/${estimationId}`;
  const scene: Scene = {
    user: owner,
    path,
    estimationId,
    tree: async () => read<{ tree: Tree }>(await call("GET", `${path}/tree`)).tree,
    replaceTree: async (changed) => void (await call("PUT", `${path}/tree`, { nodes: changed })),
    preview: async () => read<Run>(await call("POST", `${path}/tasks/preview`)),
    generate: async () => read<Run>(await call("POST", `${path}/tasks/generate`)),
    list: async (query = "") => read(await call("GET", `${path}/tasks${query}`)),
    update: async (id, changes) => read<{ task: Task }>(await call("PUT", `${path}/tasks/${id}`, changes)).task,
  };
  await scene.replaceTree(nodes);
  return scene;
}

/** Two options that can be chosen, and a group below the first. */
export const shop: NodeInput[] = [
  {
    title: "Features?",
    kind: "multi",
    options: [
      {
        title: "Payment",
        selected: true,
        hours: { optimistic: 2, likely: 5, pessimistic: 14 },
        role: "backend",
        nodes: [
          {
            title: "Providers",
            kind: "group",
            options: [
              { title: "Cards", hours: 10 },
              { title: "Invoice", hours: 4.5 },
            ],
          },
        ],
      },
      { title: "Search", selected: true, hours: 8 },
    ],
  },
];

function expectSuccess(response: Response): Response {
  if (response.status >= 300) throw new Error(`${response.status}: ${response.text}`);
  return response;
}

const read = <Data>(response: Response): Data => response.data as unknown as Data;
