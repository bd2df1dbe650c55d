import type { RequestOf } from "../../contract/client.ts";
import type { Contract, EndpointId } from "../../contract/index.ts";
import { request, type TestApp, type TestUser } from "../harness.ts";

/** A user with one record of every kind, for calling every endpoint with something real. */
export interface World {
  readonly user: TestUser;
  readonly estimation: string;
  readonly node: string;
  readonly option: string;
  readonly task: string;
  readonly apiKey: string;
  readonly webhook: string;
  readonly delivery: string;
}

/** Makes such a user. */
export async function makeWorld(app: TestApp): Promise<World> {
  const user = await app.signUp();
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await request(app.url, method, path, { token: user.token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.data;
  };
  const estimation = String(
    (await call("POST", "/api/estimations", { title: "Sample", tags: ["web"] })).estimation?.id,
  );
  const nodes = [
    {
      title: "Part",
      kind: "multi",
      options: [
        { title: "Work", hours: 8, selected: true },
        { title: "More", hours: 2 },
      ],
    },
  ];
  const { tree } = await call("PUT", `/api/estimations/${estimation}/tree`, { nodes });
  const { tasks } = await call("POST", `/api/estimations/${estimation}/tasks/generate`);
  const { apiKey } = await call("POST", "/api/api-keys", { name: "Sample", scopes: ["tasks:read"] });
  const { webhook } = await call("POST", "/api/webhooks", {
    url: "https://hooks.example.com/in",
    events: ["share.invited"],
  });
  const { delivery } = await call("POST", `/api/webhooks/${webhook?.id}/test`);
  return {
    user,
    estimation,
    node: String(tree?.nodes?.[0]?.id),
    option: String(tree?.nodes?.[0]?.options?.[0]?.id),
    task: String(tasks?.[0]?.id),
    apiKey: String(apiKey?.id),
    webhook: String(webhook?.id),
    delivery: String(delivery?.id),
  };
}

/** A request that succeeds, for every endpoint: a row without one does not compile. */
export const samples: { readonly [K in EndpointId]: (world: World) => RequestOf<Contract[K]> } = {
  registerUser: () => ({ body: { email: `${crypto.randomUUID()}@example.com`, password: "correct horse battery" } }),
  logIn: ({ user }) => ({ body: { email: user.email, password: user.password } }),
  logOut: () => ({}),
  renewSession: () => ({}),
  getCurrentUser: () => ({}),
  updateCurrentUser: () => ({ body: { name: "Ada" } }),
  changePassword: ({ user }) => ({ body: { currentPassword: user.password, newPassword: "another horse battery" } }),

  createApiKey: () => ({ body: { name: "CI", scopes: ["tasks:read"] } }),
  listApiKeys: () => ({}),
  getApiKey: ({ apiKey }) => ({ params: { id: apiKey } }),
  updateApiKey: ({ apiKey }) => ({ params: { id: apiKey }, body: { name: "CI 2" } }),
  rotateApiKey: ({ apiKey }) => ({ params: { id: apiKey } }),
  revokeApiKey: ({ apiKey }) => ({ params: { id: apiKey } }),

  listEstimations: () => ({ query: { tag: "web" } }),
  createEstimation: () => ({ body: { title: "Shop" } }),
  getEstimation: ({ estimation }) => ({ params: { id: estimation } }),
  updateEstimation: ({ estimation }) => ({ params: { id: estimation }, body: { title: "Shop 2" } }),
  deleteEstimation: ({ estimation }) => ({ params: { id: estimation } }),

  getTree: ({ estimation }) => ({ params: { id: estimation } }),
  replaceTree: ({ estimation }) => ({ params: { id: estimation }, body: { nodes: [] } }),
  getTreeHours: ({ estimation }) => ({ params: { id: estimation } }),
  createNode: ({ estimation }) => ({ params: { id: estimation }, body: { title: "Node", kind: "group" } }),
  updateNode: ({ estimation, node }) => ({ params: { id: estimation, nodeId: node }, body: { title: "Node 2" } }),
  moveNode: ({ estimation, node }) => ({
    params: { id: estimation, nodeId: node },
    body: { parentOptionId: null, position: 0 },
  }),
  deleteNode: ({ estimation, node }) => ({ params: { id: estimation, nodeId: node } }),
  createOption: ({ estimation, node }) => ({
    params: { id: estimation, nodeId: node },
    body: { title: "Option", hours: 3 },
  }),
  updateOption: ({ estimation, option }) => ({ params: { id: estimation, optionId: option }, body: { quantity: 2 } }),
  moveOption: ({ estimation, option, node }) => ({
    params: { id: estimation, optionId: option },
    body: { nodeId: node },
  }),
  deleteOption: ({ estimation, option }) => ({ params: { id: estimation, optionId: option } }),
  selectOption: ({ estimation, option }) => ({ params: { id: estimation, optionId: option } }),
  deselectOption: ({ estimation, option }) => ({ params: { id: estimation, optionId: option } }),

  listTasks: ({ estimation }) => ({ params: { id: estimation } }),
  previewTasks: ({ estimation }) => ({ params: { id: estimation } }),
  generateTasks: ({ estimation }) => ({ params: { id: estimation } }),
  updateTask: ({ estimation, task }) => ({ params: { id: estimation, taskId: task }, body: { actualHours: 7.5 } }),
  deleteTask: ({ estimation, task }) => ({ params: { id: estimation, taskId: task } }),

  listWebhookEvents: () => ({}),
  createWebhook: () => ({ body: { url: "https://hooks.example.com/in", events: ["share.invited"] } }),
  listWebhooks: () => ({}),
  getWebhook: ({ webhook }) => ({ params: { id: webhook } }),
  updateWebhook: ({ webhook }) => ({ params: { id: webhook }, body: { active: false } }),
  deleteWebhook: ({ webhook }) => ({ params: { id: webhook } }),
  testWebhook: ({ webhook }) => ({ params: { id: webhook } }),
  listDeliveries: ({ webhook }) => ({ params: { id: webhook } }),
  getDelivery: ({ webhook, delivery }) => ({ params: { id: webhook, deliveryId: delivery } }),
};
