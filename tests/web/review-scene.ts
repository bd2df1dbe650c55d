import type { Page } from "playwright-core";
import type { TestApp, TestUser } from "../harness.ts";
import { importAs } from "./actions.ts";

const OUTLINE = `# Web shop

- Payment (choose one)
  - [x] Card: 4-16-34 @backend
  - [ ] Invoice: 6
- Screens
  - Cart: 8-12-30
  - List: 3-5-8
`;

export interface OptionJson {
  readonly id: string;
  readonly title: string;
}
export interface NodeJson {
  readonly id: string;
  readonly options: OptionJson[];
}

/** Makes an estimation whose owner has asked a reviewer. */
export async function setReviewScene(app: TestApp) {
  const [owner, reviewer] = [await app.signUp(), await app.signUp()];
  await app.request("PATCH", "/api/auth/me", { token: owner.token, body: { name: "Olga Owner" } });
  await app.request("PATCH", "/api/auth/me", { token: reviewer.token, body: { name: "Rita Reviewer" } });
  const id = await importAs(app, owner, OUTLINE);
  const send = async (by: TestUser, method: string, path: string, body?: object) => {
    const { status, data, text } = await app.request(method, `/api/estimations/${id}${path}`, {
      token: by.token,
      ...(body && { body }),
    });
    if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${text}`);
    return data;
  };
  const ask = async () => String((await send(owner, "POST", "/reviews", { reviewerId: reviewer.userId })).review?.id);
  const nodes = async () => (await send(owner, "GET", "/tree")).tree?.nodes as unknown as NodeJson[];
  const review = await ask();
  const path = `/estimations/${id}/reviews/${review}`;
  const stored = async () => (await send(owner, "GET", `/reviews/${review}`)).review;
  return { owner, reviewer, id, review, path, send, ask, nodes, stored };
}

/** The line of this name in the tree. */
export const line = (page: Page, name: string | RegExp) => page.getByRole("row", { name });
export const tree = (page: Page) => page.getByRole("treegrid", { name: "Questions and options" });
