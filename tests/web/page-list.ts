import type { Page } from "playwright-core";
import type { PagePath } from "../../contract/pages.ts";
import type { TestApp, TestUser } from "../harness.ts";
import { press } from "./actions.ts";

/** A user with something on every page, and its ids by the names of the paths' parameters. */
export interface World {
  readonly user: TestUser;
  readonly params: Readonly<Record<string, string>>;
}

interface PageCase {
  /** Whether it is for those who are not signed in. */
  readonly isSignedOut?: true;
  /** The query and the hash that it is opened with. */
  readonly suffix?: string;
  /** Parameters that are not the world's, by their names. */
  readonly params?: Readonly<Record<string, string>>;
  /** A text that shows once it is complete. */
  readonly shows: string;
  /** Opens each dialog of the page; Escape closes it. Menus are found without this. */
  readonly dialogs?: readonly ((page: Page) => Promise<void>)[];
}

const pressing = (name: string) => (page: Page) => press(page, name);
const choose = (menu: string, item: string) => async (page: Page) => {
  await page.getByRole("button", { name: menu }).first().click();
  await page.getByRole("menuitem", { name: item }).click();
};

/**
 * Every page of the application, in the order in which they are looked at: a page that is not here does not compile. No page shows the text by which the next one is known to be complete.
 */
export const PAGES: Readonly<Record<PagePath, PageCase>> = {
  "/sign-in": { isSignedOut: true, shows: "Forgot" },
  "/register": { isSignedOut: true, shows: "Name (optional)" },
  "/forgot-password": { isSignedOut: true, shows: "Send link" },
  "/reset-password": { isSignedOut: true, suffix: "?token=none", shows: "Set password" },
  "/verify-email": { isSignedOut: true, suffix: "?token=none", shows: "This link has expired" },
  "/auth/callback": { isSignedOut: true, suffix: "?error=access_denied", shows: "Sign-in was cancelled" },
  "/estimations": { shows: "Web shop" },
  "/estimations/new": { shows: "Create estimation" },
  "/estimations/trash": { shows: "Given up" },
  "/estimations/:id": {
    shows: "Payment",
    dialogs: [
      async (page) => {
        await page.getByRole("gridcell").first().focus();
        await page.keyboard.press("?");
      },
      pressing("Request review"),
      pressing("Settings"),
    ],
  },
  "/estimations/:id/reviews/:reviewId": { shows: "Is the cart too cheap?" },
  "/estimations/:id/shares": { shows: "colleague@example.com" },
  "/estimations/:id/tasks": { params: { id: "workedOn" }, shows: "Basket", dialogs: [pressing("Generate again")] },
  "/shared": { shows: "Somebody else's" },
  "/docs": { suffix: "#createEstimation", shows: "Create an estimation from" },
  "/glossary": { shows: "How likely the work takes no longer" },
  "/profile/security": { shows: "Current password" },
  "/profile/api-keys": { shows: "Build server", dialogs: [pressing("New API key")] },
  "/profile/connections": { shows: "The team's GitHub", dialogs: [pressing("New connection")] },
  "/profile/notifications": { shows: "Review requests" },
  "/profile/webhooks": { shows: "hooks.example.com", dialogs: [pressing("New webhook")] },
  "/profile/webhooks/:id": {
    params: { id: "webhookId" },
    shows: "Resend failed…",
    dialogs: [pressing("Resend failed…"), choose("Actions for", "Delete")],
  },
  "/profile/webhooks/:id/deliveries/:deliveryId": { params: { id: "webhookId" }, shows: "No attempts yet." },
  "/profile": { shows: "Current password" },
  "/": { shows: "Web shop" },
};

/** Returns the address of a page in `world`. */
export function addressOf(path: PagePath, { params }: World): string {
  const { suffix = "", params: others = {} } = PAGES[path];
  return path.replace(/:(\w+)/g, (_, name: string) => params[others[name] ?? name] ?? "") + suffix;
}

/** The paths of the pages for those who are signed in, or of those for others. */
export const pathsFor = (isSignedOut: boolean): PagePath[] =>
  (Object.keys(PAGES) as PagePath[]).filter((path) => (PAGES[path].isSignedOut ?? false) === isSignedOut);

const OUTLINE = `# Web shop

- Payment (choose one)
  - [x] Card: 4-16-34 @backend
  - [ ] Invoice: 6
- Screens
  - Cart: 8-12-30
  - A page with a title that is longer than what fits into a column of a table, so that it has to be cut or wrapped: 3
`;

/** Makes a user with something on every page. */
export async function makeWorld(app: TestApp): Promise<World> {
  const [user, other] = [await app.signUp(), await app.signUp()];
  const post = async (path: string, body: object | undefined, { token }: TestUser = user) => {
    const { status, data, text } = await app.request("POST", `/api/${path}`, { token, ...(body && { body }) });
    if (status >= 300) throw new Error(`${path} returned ${status}: ${text}`);
    return data;
  };
  const make = async (content: string, by?: TestUser) =>
    String((await post("estimations/import", { format: "outline", content }, by)).estimation?.id);
  const id = await make(OUTLINE);
  const gone = await make("# Given up\n\n- Scope: 5\n");
  await app.request("DELETE", `/api/estimations/${gone}`, { token: user.token });
  const theirs = await make("# Somebody else's\n\n- Scope: 5\n", other);
  await post(`estimations/${theirs}/shares`, { email: user.email, permission: "view" }, other);
  await post(`estimations/${id}/shares`, { email: "colleague@example.com", permission: "edit" });
  const workedOn = await make("# Portal\n\n- Screens\n  - Basket: 8-12-30\n  - Search: 4\n");
  for (const move of ["submit", "tasks/generate"]) await post(`estimations/${workedOn}/${move}`, undefined);
  await post("templates", { estimationId: id, name: "Checkout of a shop" });
  await post("api-keys", { name: "Build server", scopes: ["estimations:read", "tasks:export"] });
  await post("connections", { target: "github", name: "The team's GitHub", token: "github_pat_11EXAMPLE0example" });
  const { webhook } = await post("webhooks", {
    url: "https://hooks.example.com/a/long/path/to/the/planning/board/of/all/teams",
    events: ["estimation.submitted"],
  });
  const webhookId = String(webhook?.id);
  const { delivery } = await post(`webhooks/${webhookId}/test`, undefined);
  const { review } = await post(`estimations/${id}/reviews`, {
    reviewerId: other.userId,
    note: "Is the cart too cheap?",
  });
  return { user, params: { id, workedOn, reviewId: String(review?.id), webhookId, deliveryId: String(delivery?.id) } };
}
