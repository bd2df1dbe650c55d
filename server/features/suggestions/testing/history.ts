import type { Json, TestApp, TestUser } from "../../../../tests/harness.ts";

export const TITLES = ["Export invoices", "Colour of buttons", "Migrate payments", "Search customers"];

/** Makes an estimation with `count` options of 10 hours each, and returns its path. */
export async function estimate(
  app: TestApp,
  { token }: TestUser,
  count: number,
  { title = "Shop", titleOf = (at: number) => `${TITLES[at % 4]} ${at}`, description = "" } = {},
): Promise<string> {
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title } });
  const path = `/api/estimations/${data.estimation?.id}`;
  const options = Array.from({ length: count }, (_, at) => {
    return { title: titleOf(at), description, hours: 10, role: "dev" };
  });
  const body = { nodes: [{ title: "Work", kind: "group", options }] };
  const { status, text } = await app.request("PUT", `${path}/tree`, { token, body });
  if (status !== 200) throw new Error(`storing the tree returned ${status}: ${text}`);
  return path;
}

/** Generates the tasks of an estimation and finishes those with hours, the first `most` of them. */
export async function finish(
  app: TestApp,
  { token }: TestUser,
  path: string,
  actualHours: number,
  most = 100,
): Promise<void> {
  const { data } = await app.request("POST", `${path}/tasks/generate`, { token });
  const working = (data.tasks as unknown as Json[]).filter(({ hours }) => hours !== null).slice(0, most);
  for (const { id } of working) {
    await app.clock.advance(1_000);
    const body = { actualHours, doneAt: app.services.clock.now().toISOString() };
    const { status, text } = await app.request("PUT", `${path}/tasks/${id}`, { token, body });
    if (status !== 200) throw new Error(`finishing a task returned ${status}: ${text}`);
  }
}

/** Reads the suggestion for the estimation at `path`. */
export const readSuggestion = async (app: TestApp, token: string, path: string): Promise<Json> =>
  (await app.request("GET", `${path}/suggestion`, { token })).data.suggestion as Json;

/** Reads the suggestion with its receipt. */
export async function readWithReceipt(app: TestApp, token: string, path: string) {
  const { data } = await app.request("GET", `${path}/suggestion`, { token });
  return data as unknown as { readonly suggestion: Json; readonly receipt: string };
}

/** Sends a verdict about a suggestion. */
export const judge = (app: TestApp, token: string, path: string, body: object) =>
  app.request("POST", `${path}/suggestion/feedback`, { token, body });
