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
  /** The query and the hash that it is opened with, with parameters as in the path. */
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
  "/p/:token": { isSignedOut: true, shows: "Your answer" },
  "/estimations": {
    shows: "Web shop",
    dialogs: [
      async (page) => page.getByRole("button", { name: "Search and commands" }).click(),
      (page) => page.keyboard.press("?"),
    ],
  },
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
      async (page) => {
        await page.getByRole("gridcell").first().focus();
        await page.keyboard.press("Alt+i");
        await page.getByRole("dialog").getByRole("textbox").fill("- Payment\n  - Card: 4-16-34\n");
        await page.getByRole("dialog").getByText("expected hours").waitFor();
      },
      choose("Other actions", "Make a template"),
      choose("More", "Estimate together"),
    ],
  },
  "/reviews": { shows: "You asked for" },
  "/estimations/:id/compare": { suffix: "?from=:firstVersionId", shows: "Where the difference comes from" },
  "/estimations/:id/activity": { shows: "edited the tree or the settings" },
  "/estimations/:id/print": { params: { id: "workedOn" }, shows: "What to print" },
  "/estimations/:id/versions": {
    params: { id: "workedOn" },
    shows: "Lines of versions side by side",
    dialogs: [
      pressing("Save version"),
      choose("Actions for version", "Name"),
      choose("Actions for version", "New thread"),
      choose("Actions for the thread Main", "Merge"),
      choose("Actions for the thread Client B", "Rename"),
      choose("Actions for the thread Client B", "Delete"),
    ],
  },
  "/estimations/:id/reviews": { shows: "Awaiting review", dialogs: [pressing("Request review")] },
  "/estimations/:id/reviews/:reviewId": { shows: "Is the cart too cheap?", dialogs: [pressing("Withdraw")] },
  "/estimations/:id/rounds/:roundId": {
    shows: "Least agreement first",
    dialogs: [pressing("Another round of 1 option"), choose("Actions for the round", "Close round")],
  },
  "/estimations/:id/shares": { shows: "For the board", dialogs: [pressing("New link")] },
  "/estimations/:id/tasks": { params: { id: "workedOn" }, shows: "Basket", dialogs: [pressing("Generate again")] },
  "/estimations/:id/timeline": {
    params: { id: "workedOn" },
    shows: "What would it take?",
    dialogs: [pressing("Milestone"), pressing("People and days"), pressing("What would it take?")],
  },
  "/shared": { shows: "Shared with me" },
  "/teams": { shows: "Invitations for you", dialogs: [pressing("New team")] },
  "/teams/:id": {
    params: { id: "teamId" },
    shows: "Shared with this team",
    dialogs: [choose("Actions for Web team", "Rename"), choose("Actions for Web team", "Delete team")],
  },
  "/teams/:id/invitation": { params: { id: "invitingTeamId" }, shows: "Join Mobile team?" },
  "/templates": {
    shows: "Checkout of a shop",
    dialogs: [pressing("New template"), choose("Actions for", "Edit"), choose("Actions for", "Delete")],
  },
  "/templates/:id": {
    params: { id: "templateId" },
    shows: "What it adds",
    dialogs: [pressing("Add to an estimation"), choose("Actions for", "Edit")],
  },
  "/accuracy": { shows: "What ranges say, and what happened" },
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
  "/admin/users": { shows: "Last sign-in" },
  "/admin/users/:id": {
    params: { id: "colleagueId" },
    shows: "Quotas in use",
    dialogs: [
      choose("Actions for", "Disable"),
      choose("Actions for", "Hand over estimations"),
      choose("Actions for", "Erase"),
    ],
  },
  "/admin/audit-log": { shows: "Event" },
  "/admin/status": { shows: "Running since" },
  "/admin": { shows: "Last sign-in" },
  "/profile": { shows: "Current password" },
  "/": { shows: "Web shop" },
};

/** Returns the address of a page in `world`. */
export function addressOf(path: PagePath, { params }: World): string {
  const { suffix = "", params: others = {} } = PAGES[path];
  return (path + suffix).replace(/:(\w+)/g, (_, name: string) => params[others[name] ?? name] ?? "");
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
  await app.pool.query("update users set is_administrator = true where id = $1", [user.userId]);
  await app.makeKey(other, ["estimations:read"]);
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
  await app.request("PUT", `/api/estimations/${workedOn}/timeline`, {
    token: user.token,
    body: { startDate: "2027-01-04" },
  });
  await post(`estimations/${workedOn}/milestones`, { title: "Beta", dueDate: "2027-01-06" });
  await finishWork(
    app,
    user,
    await make(`# Portal, the first part\n\n- Screens\n${"  - Page: 8-12-30 @frontend\n".repeat(14)}`),
  );
  const team = async (name: string, by: TestUser, invited: string, shown: string) => {
    const teamId = String((await post("teams", { name }, by)).team?.id);
    await post(`teams/${teamId}/invitations`, { email: invited, role: "member" }, by);
    await post(`estimations/${shown}/shares`, { teamId, permission: "view" }, by);
    return teamId;
  };
  const teamId = await team("Web team", user, other.email, id);
  await post(`teams/${teamId}/accept`, undefined, other);
  await post(`teams/${teamId}/invitations`, { email: "newcomer@example.com", role: "admin" });
  const invitingTeamId = await team("Mobile team", other, user.email, theirs);
  await post("teams", { name: "Data team" });
  const { versions } = (await app.request("GET", `/api/estimations/${workedOn}/versions`, { token: user.token })).data;
  await post(`estimations/${workedOn}/threads`, { title: "Client B", baseVersionId: versions?.[0]?.id });
  const { template } = await post("templates", { estimationId: id, name: "Checkout of a shop" });
  await post("api-keys", { name: "Build server", scopes: ["estimations:read", "tasks:export"] });
  await post("connections", { target: "github", name: "The team's GitHub", token: "github_pat_11EXAMPLE0example" });
  const { webhook } = await post("webhooks", {
    url: "https://hooks.example.com/a/long/path/to/the/planning/board/of/all/teams",
    events: ["estimation.submitted"],
  });
  const webhookId = String(webhook?.id);
  const { delivery } = await post(`webhooks/${webhookId}/test`, undefined);
  const request = { reviewerId: other.userId, note: "Is the cart too cheap?" };
  const { review } = await post(`estimations/${id}/reviews`, request);
  await judgeAndChange(app, user, other, `/api/estimations/${id}`, String(review?.id));
  await post(`estimations/${id}/reviews`, request);
  const { versions: reviewed } = (await app.request("GET", `/api/estimations/${id}/versions`, { token: user.token }))
    .data;
  const roundId = await estimateTogether(app, [user, other], `/api/estimations/${id}`);
  const { url } = await post(`estimations/${id}/links`, {
    ...{ title: "For the board", shows: "hoursRange", percentile: "p80", choices: true, descriptions: true },
  });
  const token = String(url).split("/").at(-1) ?? "";
  const firstVersionId = String(reviewed?.[1]?.id);
  const templateId = String(template?.id);
  const ids = {
    templateId,
    roundId,
    reviewId: String(review?.id),
    firstVersionId,
    webhookId,
    deliveryId: String(delivery?.id),
  };
  return { user, params: { id, token, workedOn, teamId, invitingTeamId, ...ids, colleagueId: other.userId } };
}

/** Has all tasks of an estimation done, in two months, most of them later than estimated. */
async function finishWork(app: TestApp, { token }: TestUser, id: string) {
  const path = `/api/estimations/${id}/tasks`;
  const { data } = await app.request("POST", `${path}/generate`, { token });
  const working = (data.tasks as unknown as { id: string; hours: number | null }[]).filter(
    ({ hours }) => hours !== null,
  );
  for (const [at, task] of working.entries()) {
    const body = { actualHours: 10 + 3 * at, doneAt: `2026-0${1 + (at % 2)}-15T12:00:00Z` };
    const { status, text } = await app.request("PUT", `${path}/${task.id}`, { token, body });
    if (status !== 200) throw new Error(text);
  }
}

/** Has people estimate all options that count, each further from the others, and reveals it; returns the id of the round. */
async function estimateTogether(app: TestApp, people: readonly [TestUser, ...TestUser[]], path: string) {
  const send = async ({ token }: TestUser, to: string, body?: object) => {
    const { status, data, text } = await app.request("POST", `${path}/rounds${to}`, { token, ...(body && { body }) });
    if (status >= 300) throw new Error(`${to} returned ${status}: ${text}`);
    return data;
  };
  const [owner] = people;
  const { round } = await send(owner, "", { title: "First look", participants: people.map(({ userId }) => userId) });
  if (!round) throw new Error("no round");
  const to = `/${round.id}`;
  const [first, ...others] = round.optionIds as unknown as string[];
  for (const [at, person] of people.entries()) {
    const likely = 8 + 30 * at;
    const hours = { optimistic: likely - 4, likely, pessimistic: 2 * likely };
    const estimates = [{ optionId: first, ...hours, note: "Without the admin pages, and with one language only" }];
    await send(person, `${to}/estimates`, { estimates });
    if (others.length > 0) await send(person, `${to}/skip`, { optionIds: others });
  }
  await send(owner, `${to}/reveal`);
  return String(round.id);
}

/** Has a reviewer comment and request changes, and the owner answer and change, so that a review has marks and comments. */
async function judgeAndChange(app: TestApp, owner: TestUser, reviewer: TestUser, path: string, reviewId: string) {
  const send = async ({ token }: TestUser, method: string, to: string, body?: object) => {
    const { status, data, text } = await app.request(method, `${path}${to}`, { token, ...(body && { body }) });
    if (status >= 300) throw new Error(`${to} returned ${status}: ${text}`);
    return data;
  };
  const tree = (await send(owner, "GET", "/tree")).tree as unknown as { nodes: { options: { id: string }[] }[] };
  const [payment, screens] = tree.nodes;
  const [card] = payment?.options ?? [];
  const [cart, other] = screens?.options ?? [];
  const comments = `/reviews/${reviewId}/comments`;
  await send(reviewer, "POST", comments, { body: "Does it have discounts?", optionId: cart?.id });
  await send(reviewer, "POST", `/reviews/${reviewId}/request-changes`, { comment: "A search is missing." });
  const search = { title: "Search", hours: { optimistic: 4, likely: 8, pessimistic: 20 } };
  const options = [{ ...other, hours: 5 }, search];
  // Something of each kind: added, changed, moved, removed.
  const nodes = [
    { ...screens, options: [cart, ...options] },
    { ...payment, options: [card] },
  ];
  await send(owner, "PUT", "/tree", { nodes });
}
