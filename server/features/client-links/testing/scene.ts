import { expect } from "vitest";
import type { RequestOptions, Response, TestApp, TestUser } from "../../../../tests/harness.ts";

/** A question with two answers, of which the first is chosen, one that takes several, and what is always included. */
const nodes = [
  {
    title: "Set-up",
    kind: "group",
    description: "Only Kim knows this",
    options: [{ title: "Servers", hours: 10, role: "operations" }],
  },
  {
    title: "Payment",
    kind: "single",
    options: [
      { title: "Card", hours: { optimistic: 10, likely: 20, pessimistic: 60 }, selected: true, description: "Ask Kim" },
      { title: "Invoice", hours: 5 },
    ],
  },
  {
    title: "Extras",
    kind: "multi",
    options: [
      { title: "Search", hours: 30 },
      { title: "Export", hours: 3 },
    ],
  },
];

export const hours = { shows: "hours", percentile: "expected", choices: true, descriptions: false, step: 1 };
export const price = { ...hours, shows: "price" };

/** An estimation with a rate, of a new owner, and what is done with its links. */
export async function createScene(app: TestApp) {
  const owner = await app.signUp();
  const send = async (method: string, path: string, body?: unknown, by: TestUser = owner): Promise<Response> =>
    app.request(method, path, { token: by.token, ...(body === undefined ? {} : { body }) } as RequestOptions);
  const { data } = await send("POST", "/api/estimations", {
    title: "Shop",
    description: "Written for colleagues",
    clientName: "Acme",
    hourlyRate: 100,
    currency: "EUR",
  });
  const id = String(data.estimation?.id);
  const path = `/api/estimations/${id}`;
  const { tree } = (await send("PUT", `${path}/tree`, { nodes })).data;
  const optionId = (title: string): string => {
    for (const node of Object.values(tree?.nodes ?? {}))
      for (const option of Object.values(node.options ?? {}))
        if (String(option.title) === title) return String(option.id);
    throw new Error(`there is no option ${title}`);
  };
  return {
    owner,
    id,
    path,
    send,
    optionId,
    /** Makes a link; returns its path and what its address ends with. */
    async link(body: object = {}, by: TestUser = owner) {
      const made = await send("POST", `${path}/links`, { ...hours, ...body }, by);
      expect(made.status, made.text).toBe(201);
      const token = String(made.data.url).split("/").at(-1) ?? "";
      return { path: `${path}/links/${made.data.link?.id}`, token, made, id: String(made.data.link?.id) };
    },
    /** What anybody with the address reads. */
    read: (token: string) => app.request("GET", `/api/links/${token}`),
    async share(permission: "view" | "edit"): Promise<TestUser> {
      const user = await app.signUp();
      const { data } = await send("POST", `${path}/shares`, { email: user.email, permission });
      expect((await app.request("POST", `/api/shares/${data.share?.id}/accept`, { token: user.token })).status).toBe(
        200,
      );
      return user;
    },
  };
}
