import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { start, until } from "../harness.ts";
import { hold, importAs, press } from "./actions.ts";
import {
  expectAccessible,
  expectAccessibleState,
  openBrowser,
  openSignedIn,
  showIn,
  withoutStream,
} from "./browser.ts";
import { line, setReviewScene, tree } from "./review-scene.ts";

const app = await start({ pages: true, config: { invitationsPerHour: 1_000 } });
const setScene = () => setReviewScene(app);

test("the list has what waits, what was asked for and what was decided; the head counts what waits", async () => {
  const { owner, reviewer, path, send, review } = await setScene();
  const page = await openSignedIn(await withoutStream(await openBrowser(app)), reviewer);
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Reviews 1" }).click();
  const part = (of: Page, name: string) => of.getByRole("region", { name });
  await part(page, "Waiting for you").getByRole("link", { name: "Web shop" }).waitFor();
  await part(page, "Decided by you").getByText("You haven’t decided any review yet.").waitFor();
  // Invitations wait too: "nothing waits" is said only without any.
  const of = { token: owner.token };
  const team = await app.request("POST", "/api/teams", { ...of, body: { name: "Web team" } });
  const invitations = `/api/teams/${team.data.team?.id}/invitations`;
  await app.request("POST", invitations, { ...of, body: { email: reviewer.email, role: "member" } });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/glossary");
  await main.getByRole("link", { name: "Reviews 2 wait for you" }).waitFor();
  await page.waitForLoadState("networkidle");
  // One request tells all of it. The bell asks later, for what is its own.
  const bell = ["/api/live", "/api/notifications"];
  expect(asked.filter((path) => path.startsWith("/api/") && !bell.includes(path))).toEqual(["/api/reviews/waiting"]);
  await send(reviewer, "POST", `/reviews/${review}/approve`);
  await page.goto("/reviews");
  await part(page, "Decided by you").getByRole("link", { name: "Web shop" }).waitFor();
  const waiting = part(page, "Waiting for you");
  await waiting.getByText("Olga Owner invites you to this team").waitFor();
  expect(await waiting.getByText("Nothing waits for you.").count()).toBe(0);
  await waiting.getByRole("link", { name: "Web team" }).click();
  await press(page, "Decline");
  await page.getByText("Invitation declined").first().waitFor();
  await until(async () => (await main.getByRole("link", { name: "Reviews", exact: true }).count()) === 1);
  await main.getByRole("link", { name: "Reviews" }).click();
  await waiting.getByText("Nothing waits for you.").waitFor();
  const theirs = await openSignedIn(await openBrowser(app), owner, "/reviews");
  await part(theirs, "You asked for").getByRole("link", { name: "Web shop" }).click();
  await theirs.getByRole("heading", { name: "Review of version 1" }).waitFor();
  expect(new URL(theirs.url()).pathname).toBe(path);
});

test("the parts of the list stay at their places while one after the other is loaded", async () => {
  const user = await app.signUp();
  const page = await openSignedIn(await withoutStream(await openBrowser(app)), user);
  const reviews = await hold(page, /\/api\/reviews\?/, "GET");
  const invitations = await hold(page, /\/api\/teams\/invitations/, "GET");
  await page.goto("/reviews");
  const places = async () => {
    const heads = await page.getByRole("heading", { level: 2 }).all();
    return Promise.all(heads.map(async (head) => (await head.boundingBox())?.y));
  };
  await until(async () => (await page.locator("[class*=row]").count()) >= 3);
  const before = await places();
  expect(before.length).toBe(3);
  reviews.release();
  await page.getByText(/^You haven’t asked anybody for a review yet/).waitFor();
  expect(await page.getByText("Nothing waits for you.").count()).toBe(0);
  expect(await places()).toEqual(before);
  invitations.release();
  await page.getByText("Nothing waits for you.").waitFor();
  expect(await places()).toEqual(before);
});

test("invitations of which there are more than a page are all reached, however many were accepted", async () => {
  const [owner, guest] = [await app.signUp(), await app.signUp()];
  const share = async (at: number) => {
    const id = await importAs(app, owner, `# Shop ${at}\n\n- Scope: 5\n`);
    const { status, data } = await app.request("POST", `/api/estimations/${id}/shares`, {
      token: owner.token,
      body: { email: guest.email, permission: "view" },
    });
    expect(status).toBe(201);
    return String(data.share?.id);
  };
  const accepted = await share(0);
  await app.request("POST", `/api/shares/${accepted}/accept`, { token: guest.token });
  for (let at = 1; at <= limits.pageSizeMax + 1; at += 1) await share(at);
  const page = await openSignedIn(await openBrowser(app), guest, "/reviews");
  const waiting = page.getByRole("region", { name: "Waiting for you" });
  const invitations = waiting.getByRole("list", { name: "Invitations" }).getByRole("listitem");
  await until(async () => (await invitations.count()) === limits.pageSizeMax);
  expect(await invitations.filter({ hasText: /^Shop 1 / }).count()).toBe(0);
  await waiting.getByRole("button", { name: "Show more" }).click();
  await invitations.filter({ hasText: /^Shop 1 / }).waitFor();
  expect(await invitations.count()).toBe(limits.pageSizeMax + 1);
  expect(await invitations.filter({ hasText: /^Shop 0 / }).count()).toBe(0);
});

test("comments show beside the lines of the editor, where they are answered and settled", async () => {
  const { owner, reviewer, id, send, review, nodes } = await setScene();
  const [payment, screens] = await nodes();
  const optionId = screens?.options[0]?.id;
  const body = `Is this enough? See #${payment?.options[1]?.id}`;
  await send(reviewer, "POST", `/reviews/${review}/comments`, { body, optionId });
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}`);
  await line(page, /Cart/).getByRole("button", { name: "1 open: comments on Cart" }).click();
  const said = page.getByRole("region", { name: "Comments" });
  await said.getByText("Is this enough?").waitFor();
  // What is linked has its own title, not that of the line.
  await said.getByRole("link", { name: "Payment: Invoice" }).waitFor();
  await said.getByRole("button", { name: "Reply" }).click();
  await page.keyboard.type("It is.");
  await page.keyboard.press("Control+Enter");
  await said.getByText("It is.").waitFor();
  await expectAccessible(page);
  await said.getByRole("button", { name: "Resolve" }).click();
  await said.getByText("Resolved by Olga Owner.").waitFor();
  await until(async () => (await line(page, /Cart/).getByRole("button").count()) === 0);
  const { comments } = await send(owner, "GET", `/reviews/${review}/comments`);
  expect(comments).toEqual([
    expect.objectContaining({ resolved: true, optionId }),
    expect.objectContaining({ body: "It is.", optionId }),
  ]);
});

test("a comment that somebody else settles stays beside its line, settled, however lately others were", async () => {
  const { owner, reviewer, id, send, review, nodes } = await setScene();
  const optionId = (await nodes())[1]?.options[0]?.id;
  const say = async (body: string) =>
    (await send(reviewer, "POST", `/reviews/${review}/comments`, { body, optionId })).comment?.id;
  const settle = (comment: unknown) =>
    send(reviewer, "PATCH", `/reviews/${review}/comments/${comment}`, { resolved: true });
  const [first, second] = [await say("Is this enough?"), await say("Is it tested?")];
  const page = await openSignedIn(await openBrowser(app), owner, "/glossary");
  await page.clock.install();
  await page.goto(`/estimations/${id}`);
  await line(page, /Cart/).getByRole("button", { name: "2 open: comments on Cart" }).click();
  const said = page.getByRole("region", { name: "Comments" }).getByText("Resolved by Rita Reviewer.");
  for (const [at, comment] of [first, second].entries()) {
    await settle(comment);
    await page.clock.fastForward("00:31");
    await until(async () => (await said.count()) === at + 1);
  }
});

test("open comments of every review show beside the lines by one request, however many reviews there are", async () => {
  const { owner, reviewer, id, send, review, nodes } = await setScene();
  const optionId = (await nodes())[1]?.options[0]?.id;
  await send(reviewer, "POST", `/reviews/${review}/comments`, { body: "Is this enough?", optionId });
  const settled = await send(reviewer, "POST", `/reviews/${review}/comments`, { body: "Is it tested?", optionId });
  await send(owner, "PATCH", `/reviews/${review}/comments/${settled.comment?.id}`, { resolved: true });
  for (let others = 0; others < 8; others += 1) {
    const { userId: reviewerId } = await app.signUp();
    await send(owner, "POST", "/reviews", { reviewerId });
    // As many may be asked in a minute.
    app.clock.advance(60_000);
  }
  const page = await openSignedIn(await openBrowser(app), owner, "/glossary");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`/estimations/${id}`);
  await line(page, /Cart/).getByRole("button", { name: "1 open: comments on Cart" }).waitFor();
  expect(asked.filter((path) => /comments|reviews/.test(path) && !path.includes("assets"))).toEqual([
    "/api/reviews/waiting",
    `/api/estimations/${id}/comments`,
  ]);
});

test("messages about a line show beside it in the editor, and are resolved there by keyboard", async () => {
  const { owner, reviewer, id, send, review, nodes } = await setScene();
  const optionId = (await nodes())[1]?.options[0]?.id;
  await send(owner, "POST", `/reviews/${review}/withdraw`);
  const threadId = String((await send(owner, "GET", "/threads")).threads?.[0]?.id);
  const messages = `/threads/${threadId}/messages`;
  await app.request("POST", `/api/estimations/${id}/shares`, {
    token: owner.token,
    body: { email: reviewer.email, permission: "edit" },
  });
  const { shares } = (await app.request("GET", "/api/shares/me", { token: reviewer.token })).data;
  await app.request("POST", `/api/shares/${shares?.[0]?.id}/accept`, { token: reviewer.token });
  await send(reviewer, "POST", messages, { body: "Guests are missing here.", optionId });
  await send(reviewer, "POST", messages, { body: "About all of it." });
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}`);
  await line(page, /Cart/).getByRole("button", { name: "1 open: comments on Cart" }).waitFor();
  await line(page, /Cart/).getByRole("gridcell").first().focus();
  await page.keyboard.press("Alt+Enter");
  const said = page.getByRole("region", { name: "Comments" });
  await said.getByText("Guests are missing here.").waitFor();
  expect(await said.getByRole("article").count()).toBe(1);
  await expectAccessibleState(page);
  await said.getByRole("link", { name: /^Message/ }).waitFor();
  await said.getByRole("button", { name: "Resolve" }).focus();
  await page.keyboard.press("Enter");
  await until(async () => (await said.count()) === 0);
  expect(await line(page, /Cart/).getByRole("button").count()).toBe(0);
  expect((await send(owner, "GET", messages)).messages).toMatchObject([
    { body: "About all of it.", resolvedAt: null },
    { body: "Guests are missing here.", resolvedBy: { id: owner.userId } },
  ]);
});

test("a message beside a line is resolved by its author and by who may edit, and only read by others", async () => {
  const { owner, reviewer, id, send, nodes } = await setScene();
  const optionId = (await nodes())[1]?.options[0]?.id;
  const threadId = String((await send(owner, "GET", "/threads")).threads?.[0]?.id);
  const messages = `/threads/${threadId}/messages`;
  await send(owner, "POST", messages, { body: "Guests are missing here.", optionId });
  await send(reviewer, "POST", messages, { body: "Are they?", optionId });
  const page = await openSignedIn(await openBrowser(app), reviewer, `/estimations/${id}`);
  await line(page, /Cart/).getByRole("button", { name: "2 open: comments on Cart" }).click();
  const said = page.getByRole("region", { name: "Comments" });
  const theirs = said.getByRole("article").filter({ hasText: "Guests are missing here." });
  const own = said.getByRole("article").filter({ hasText: "Are they?" });
  await theirs.waitFor();
  await own.getByRole("button", { name: "Resolve" }).waitFor();
  expect(await theirs.getByRole("button").count()).toBe(0);
  // Somebody else closes the thread at that moment: the refusal is said, and the message stays.
  await page.route("**/messages/*", (route) => route.fulfill({ status: 409, json: { success: false } }), { times: 1 });
  await own.getByRole("button", { name: "Resolve" }).click();
  await said.getByRole("alert").waitFor();
  await own.getByRole("button", { name: "Resolve" }).click();
  await until(async () => (await said.getByRole("article").count()) === 1);
  expect((await send(owner, "GET", messages)).messages).toMatchObject([
    { body: "Are they?", resolvedBy: { id: reviewer.userId } },
    { body: "Guests are missing here.", resolvedAt: null },
  ]);
});

test("a request proposes those whom one works with, and asks the chosen one", async () => {
  const { owner, id, send, review } = await setScene();
  await send(owner, "POST", `/reviews/${review}/withdraw`);
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/reviews`);
  await page.getByText("Withdrawn").waitFor();
  const other = await importAs(app, owner, "# Portal\n\n- Scope: 5\n");
  const nina = await app.signUp();
  await app.request("PATCH", "/api/auth/me", { token: nina.token, body: { name: "Nina Next" } });
  for (const reviewerId of [await ritaOf(review), nina.userId])
    await app.request("POST", `/api/estimations/${other}/reviews`, { token: owner.token, body: { reviewerId } });
  // Who is in a team of one's own is proposed, too.
  const tim = await app.signUp();
  await app.request("PATCH", "/api/auth/me", { token: tim.token, body: { name: "Tim Teammate" } });
  const { team } = (await app.request("POST", "/api/teams", { token: owner.token, body: { name: "Web" } })).data;
  await app.request("POST", `/api/teams/${team?.id}/invitations`, {
    token: owner.token,
    body: { email: tim.email, role: "member" },
  });
  await app.request("POST", `/api/teams/${team?.id}/accept`, { token: tim.token });
  await press(page, "Request review");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Tim Teammate" }).waitFor();
  await dialog.getByRole("radio", { name: "Rita Reviewer" }).check();
  expect(await dialog.getByLabel("Reviewer", { exact: true }).count()).toBe(0);
  await expectAccessible(page);
  await press(page, "Send request");
  await dialog.getByText("Rita Reviewer was asked to review version 1.").waitFor();
  await press(page, "Done");
  await page.getByText("Awaiting review").waitFor();
  // Who is asked already is not proposed.
  await page.reload();
  await press(page, "Request review");
  await dialog.getByRole("radio", { name: "Nina Next" }).waitFor();
  expect(await dialog.getByRole("radio", { name: "Rita Reviewer" }).count()).toBe(0);

  async function ritaOf(reviewId: string) {
    return (await send(owner, "GET", `/reviews/${reviewId}`)).review?.reviewer?.id;
  }
});

test("a thousand options with marks are few lines in the document, and every look of them is accessible", async () => {
  const { owner, reviewer, send, ask, path } = await setScene();
  const group = (n: number, hours: number) => ({
    title: `Part ${n}`,
    kind: "group",
    options: Array.from({ length: 100 }, (_, at) => ({ title: `Option ${n}-${at}`, hours: hours + at })),
  });
  await send(owner, "PUT", "/tree", { nodes: Array.from({ length: 10 }, (_, n) => group(n, 1)) });
  const review = await ask();
  await send(reviewer, "POST", `/reviews/${review}/request-changes`);
  const { tree: stored } = await send(owner, "GET", "/tree");
  const nodes = (stored as unknown as { nodes: { options: object[] }[] }).nodes.map((node) => ({
    ...node,
    options: node.options.map((option, at) => (at % 3 === 0 ? { ...option, hours: 9 } : option)),
  }));
  await send(owner, "PUT", "/tree", { nodes });
  await ask();
  const page = await openSignedIn(await openBrowser(app), reviewer, path);
  await page.getByText("0 of 1,000 viewed").waitFor();
  await tree(page).waitFor();
  expect(await tree(page).getByRole("row").count()).toBeLessThan(120);
  await line(page, /Part 0/).click();
  await page.keyboard.press("End");
  await until(async () => (await page.evaluate<string>("document.activeElement.innerText")).includes("Option 9-99"));
  for (const theme of ["light", "dark"] as const) {
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 });
      await showIn(page, theme);
      await expectAccessible(page);
    }
  }
});
