import { randomBytes } from "node:crypto";
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
  readonly exchangeCode: string;
  readonly resetToken: string;
  readonly verificationToken: string;
}

/** What must be configured for every sample to succeed: a provider, though none that answers. */
export const sampleConfig = {
  google: { clientId: "estimation", clientSecret: "secret", issuer: "http://127.0.0.1:9" },
} as const;

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
  // As its third attempt leaves it behind.
  await app.pool.query(
    "update webhook_deliveries set status = 'failed', attempt_count = 3, next_attempt_at = null, completed_at = $2 where id = $1",
    [delivery?.id, app.clock.now()],
  );
  return {
    user,
    estimation,
    node: String(tree?.nodes?.[0]?.id),
    option: String(tree?.nodes?.[0]?.options?.[0]?.id),
    task: String(tasks?.[0]?.id),
    apiKey: String(apiKey?.id),
    webhook: String(webhook?.id),
    delivery: String(delivery?.id),
    exchangeCode: await makeExchangeCode(app, user),
    resetToken: await makeMailedToken(app, user, "reset-password"),
    verificationToken: await makeMailedToken(app, user, "verify-email"),
  };
}

/** A code as a sign-in with Google leaves it behind. */
async function makeExchangeCode({ pool, clock }: TestApp, { userId }: TestUser): Promise<string> {
  const code = randomBytes(32).toString("base64url");
  await pool.query(
    "insert into exchange_codes (hash, user_id, token_version, expires_at) select sha256($1), id, token_version, $3 from users where id = $2",
    [Buffer.from(code), userId, new Date(clock.now().getTime() + 60_000)],
  );
  return code;
}

/** The token of a link as the mail that carries it leaves it behind. */
async function makeMailedToken({ pool, clock }: TestApp, { userId }: TestUser, purpose: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await pool.query("insert into mailed_tokens (hash, user_id, purpose, expires_at) values (sha256($1), $2, $3, $4)", [
    Buffer.from(token),
    userId,
    purpose,
    new Date(clock.now().getTime() + 60_000),
  ]);
  return token;
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
  requestPasswordReset: ({ user }) => ({ body: { email: user.email } }),
  resetPassword: ({ resetToken }) => ({ body: { token: resetToken, password: "another horse battery" } }),
  verifyEmail: ({ verificationToken }) => ({ body: { token: verificationToken } }),
  resendVerification: () => ({}),
  searchUsers: ({ user }) => ({ query: { q: user.email.slice(0, 4) } }),

  startGoogleSignIn: () => ({}),
  finishGoogleSignIn: () => ({ query: { state: "none" } }),
  exchangeCode: ({ exchangeCode }) => ({ body: { code: exchangeCode } }),

  createApiKey: () => ({ body: { name: "CI", scopes: ["tasks:read"] } }),
  listApiKeys: () => ({}),
  getApiKey: ({ apiKey }) => ({ params: { id: apiKey } }),
  updateApiKey: ({ apiKey }) => ({ params: { id: apiKey }, body: { name: "CI 2" } }),
  rotateApiKey: ({ apiKey }) => ({ params: { id: apiKey } }),
  revokeApiKey: ({ apiKey }) => ({ params: { id: apiKey } }),

  listAuditEvents: () => ({}),

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
  rotateWebhookSecret: ({ webhook }) => ({ params: { id: webhook } }),
  testWebhook: ({ webhook }) => ({ params: { id: webhook } }),
  listDeliveries: ({ webhook }) => ({ params: { id: webhook } }),
  getDelivery: ({ webhook, delivery }) => ({ params: { id: webhook, deliveryId: delivery } }),
  redeliver: ({ webhook, delivery }) => ({ params: { id: webhook, deliveryId: delivery } }),
  redeliverFailed: ({ webhook }) => ({ params: { id: webhook }, body: { since: "2026-01-31T10:30:00+01:00" } }),
};
