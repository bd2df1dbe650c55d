import type { BrowserContext, Page } from "playwright-core";
import { type TestApp, type TestUser, until } from "../harness.ts";
import { importAs } from "./actions.ts";
import { openBrowser, openSignedIn } from "./browser.ts";
import type { NodeJson } from "./review-scene.ts";

const OUTLINE = `# Web shop

- Payment (choose one)
  - [x] Card: 4-16-34 @backend
  - [ ] Invoice: 6
- Screens
  - Cart: 8-12-30
  - List: 3-5-8
`;

/** The hours of an option as a request has them. */
export const hours = (optimistic: number, likely: number, pessimistic: number) => ({ optimistic, likely, pessimistic });

/** A user of this name. */
async function named(app: TestApp, name: string): Promise<TestUser> {
  const user = await app.signUp();
  await app.request("PATCH", "/api/auth/me", { token: user.token, body: { name } });
  return user;
}

/** Makes an estimation, by default with four options, its owner, and people who may be asked. */
export async function setRoundScene(
  app: TestApp,
  names: readonly string[] = ["Ana Abt", "Ben Brown"],
  outline: string = OUTLINE,
) {
  const owner = await named(app, "Olga Owner");
  const people = await Promise.all(names.map((name) => named(app, name)));
  const id = await importAs(app, owner, outline);
  const send = async (by: TestUser, method: string, path: string, body?: object) => {
    const { status, data, text } = await app.request(method, `/api/estimations/${id}${path}`, {
      token: by.token,
      ...(body && { body }),
    });
    if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${text}`);
    return data;
  };
  const nodes = async () => (await send(owner, "GET", "/tree")).tree?.nodes as unknown as NodeJson[];
  const [payment, screens] = await nodes();
  const [card = "", invoice = "", cart = "", list = ""] = [payment, screens].flatMap((node) =>
    (node?.options ?? []).map((option) => option.id),
  );
  /** Opens a round by the API; returns its id. */
  const openRound = async (body: object = {}) => {
    const participants = people.map(({ userId }) => userId);
    const optionIds = [card, invoice, cart, list];
    return String((await send(owner, "POST", "/rounds", { participants, optionIds, ...body })).round?.id);
  };
  /** Opens a page of the estimation in a browser of its own. */
  const open = async (by: TestUser, path = "", browser?: BrowserContext): Promise<Page> =>
    await openSignedIn(browser ?? (await openBrowser(app)), by, `/estimations/${id}${path}`);
  return { owner, people, id, send, nodes, options: { card, invoice, cart, list }, openRound, open };
}

/** The field of the option that shows. */
export const rangeOf = (page: Page, option: string) =>
  page.getByRole("textbox", { name: `Low, likely and high hours ${option}`, exact: true });

/** Types an answer for the option that shows, which has the focus, and goes on. */
export async function answer(page: Page, option: string, typed: string): Promise<void> {
  const field = rangeOf(page, option);
  await field.waitFor();
  await until(() => page.evaluate<boolean>("document.activeElement.id.startsWith('range-')"));
  await page.keyboard.type(typed);
  await page.keyboard.press("Enter");
}
