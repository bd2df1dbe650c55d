/** A user of the service, and the largest requests that a user may send. */
import { bigTree } from "../big-tree.ts";

type Data = Record<string, Record<string, unknown> & { readonly id?: string }>;

export interface Response {
  /** 0: the connection was lost. */
  readonly status: number;
  readonly text: string;
}

export type Send = (method: string, path: string, body?: unknown) => Promise<Response>;

/** What a service returns; `url` may be asked anew, as a user may move to another process. */
export async function signUp(url: () => string, email: string): Promise<Send> {
  let token = "";
  const send: Send = async (method, path, body) => {
    try {
      const response = await fetch(url() + path, {
        method,
        headers: {
          "content-type": "application/json",
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(method === "POST" ? { "idempotency-key": crypto.randomUUID() } : {}),
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    } catch {
      // The connection of a refused large body is closed while it is still being sent.
      return { status: 0, text: "" };
    }
  };
  token = String((await must(send, "POST", "/api/auth/register", { email, password: "correct horse battery" })).token);
  return send;
}

/** Returns `data` of the response to a request that must succeed. */
export async function must(send: Send, method: string, path: string, body?: unknown): Promise<Data> {
  const { status, text } = await send(method, path, body);
  if (status < 200 || status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
  return JSON.parse(text).data;
}

/** A tree at the limits of nodes, options and bytes, without ids. */
export const largest = JSON.stringify(
  bigTree((made) => made % 3 !== 0),
  (name, value) =>
    name === "id" ? undefined : name === "description" && value !== "" ? `${value} ${"x".repeat(400)}` : value,
);

/** Makes an estimation at the limits, which the limit of requests must allow; returns the requests on it. */
export async function makeRequests(send: Send): Promise<Readonly<Record<string, () => Promise<Response>>>> {
  const ask = (method: string, path: string, body?: unknown) => must(send, method, path, body);
  const estimationId = (await ask("POST", "/api/estimations", { title: "Large" })).estimation?.id;
  const path = `/api/estimations/${estimationId}`;
  const put = await ask("PUT", `${path}/tree`, largest);
  const { nodes } = put.tree as unknown as { nodes: { options: { id: string }[] }[] };
  const asItIs = JSON.stringify({ nodes });
  const option = nodes[0]?.options[4]?.id;
  const first = (await ask("POST", `${path}/versions`)).version?.id;
  await ask("POST", `${path}/tasks/generate`);
  const thread = (await ask("POST", `${path}/threads`, { title: "Other", baseVersionId: first })).thread?.id;
  await ask("PATCH", `${path}/tree/options/${option}`, { title: "Changed" });
  const second = (await ask("POST", `${path}/versions`)).version?.id;
  const { threads } = await ask("GET", `${path}/threads`);
  const main = (threads as unknown as { id: string; main: boolean }[]).find((one) => one.main)?.id;
  const templateId = (await ask("POST", "/api/templates", { estimationId, name: "Large" })).template?.id;
  const file = JSON.stringify({ format: "json", content: (await send("GET", `${path}/export?format=json`)).text });
  await ask("PUT", `${path}/timeline`, { startDate: "2027-01-04", people: [{ role: "backend", count: 20 }] });
  await ask("POST", `${path}/milestones`, { title: "Beta", dueDate: "2029-01-01" });
  let edits = 0;
  return {
    "PUT tree": () => send("PUT", `${path}/tree`, largest),
    "PUT tree as it is": () => send("PUT", `${path}/tree`, asItIs),
    "GET tree": () => send("GET", `${path}/tree`),
    "GET hours, all what-ifs": () => send("GET", `${path}/tree/hours?whatIf=all&explain=true`),
    "PUT tree again": () => send("PUT", `${path}/tree`, asItIs),
    "PATCH an option": () => send("PATCH", `${path}/tree/options/${option}`, { title: `Changed ${edits++}` }),
    "select an option": () => send("POST", `${path}/tree/options/${option}/${edits++ % 2 ? "select" : "deselect"}`),
    "preview tasks": () => send("POST", `${path}/tasks/preview`),
    "generate tasks": () => send("POST", `${path}/tasks/generate`),
    "GET timeline": () => send("GET", `${path}/timeline`),
    "PUT timeline": () => send("PUT", `${path}/timeline`, { hoursPerDay: 6 + (edits++ % 2) }),
    "GET milestones": () => send("GET", `${path}/milestones`),
    "GET suggestion": () => send("GET", `${path}/suggestion`),
    "make a version": async () => {
      await send("PATCH", `${path}/tree/options/${option}`, { title: `Changed ${edits++}` });
      return send("POST", `${path}/versions`);
    },
    "GET version": () => send("GET", `${path}/versions/${first}`),
    diff: () => send("GET", `${path}/versions/${first}/diff`),
    compare: () => send("GET", `${path}/compare?versions=${first},${second},current`),
    "merge, dry run": () => send("POST", `${path}/threads/${main}/merge`, { into: thread, dryRun: true }),
    "restore a version": () => send("POST", `${path}/versions/${edits++ % 2 ? first : second}/restore`),
    "make a template": () => send("POST", "/api/templates", { estimationId, name: `Large ${edits++}` }),
    "GET template": () => send("GET", `/api/templates/${templateId}`),
    "apply a template": () => send("POST", `${path}/apply-template`, { templateId, mode: "replace" }),
    duplicate: () => send("POST", `${path}/duplicate`),
    "export as JSON": () => send("GET", `${path}/export?format=json`),
    "export as CSV": () => send("GET", `${path}/export?format=csv`),
    "export as Markdown": () => send("GET", `${path}/export?format=markdown`),
    "export as a workbook": () => send("GET", `${path}/export?format=xlsx`),
    import: () => send("POST", "/api/estimations/import", file),
  };
}
