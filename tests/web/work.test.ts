import type { Locator, Route } from "playwright-core";
import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { atEndOfFile } from "../support/end-of-file.ts";
import { startGithub } from "../support/github/server.ts";
import { startJira } from "../support/jira/server.ts";
import { makeJobsDue } from "../support/jobs.ts";
import { importAs, loadedLater, press } from "./actions.ts";
import { expectAccessible, expectAccessibleState, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true, worker: true, config: { githubWritesPerMinute: 6_000 } });
const github = await startGithub({ now: app.clock.now, name: "nordlicht/shop" });
Object.assign(github.settings, { writesPerMinute: 100_000, writesPerHour: 1_000_000 });
github.trustedBy(app.services.config.dataDir);
atEndOfFile(() => github.close());

const UNDECIDED = `# Shop

- Scope
  - Payment: 3
    - Way (choose one, required)
      - [ ] Card: 4-16-34
      - [ ] Invoice: 6
`;

test("problems that prevent submitting are listed with links, and each state offers what it allows", async () => {
  const user = await app.signUp();
  const id = await importAs(app, user, UNDECIDED);
  const path = `/api/estimations/${id}`;
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  const row = (name: string) => page.getByRole("row", { name });
  await row("Payment").getByRole("gridcell").first().focus();
  await page.keyboard.press("ArrowLeft");
  await until(async () => (await row("Way").count()) === 0);
  await press(page, "Submit");
  await page.getByText("Fix 1 problem before you submit:").waitFor();
  await expectAccessible(page);
  // The link opens what is closed, and puts the focus there.
  await page.getByRole("link", { name: "Choose an option for “Way”" }).focus();
  await page.keyboard.press("Enter");
  await until(async () => /^Way/.test(await page.evaluate("document.activeElement.innerText")));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.getByText("Ready to submit").waitFor();
  // What was just chosen is saved before it is submitted.
  await press(page, "Submit");
  await page.getByText("Submitted and read-only.").waitFor();
  expect(await page.getByRole("treegrid").getAttribute("aria-readonly")).toBe("true");
  expect(await page.getByText("Ready to submit").count()).toBe(0);
  const { data } = await app.request("GET", path, { token: user.token });
  expect(data.estimation).toMatchObject({ status: "submitted", hours: { expected: 20 } });
  await press(page, "Other actions");
  await page.getByRole("menuitem", { name: "Mark tasks as generated" }).click();
  await page.getByText("Tasks are generated; the tree is read-only.").waitFor();
  await press(page, "Reopen");
  await page.getByText("Saved", { exact: true }).waitFor();
  // Somebody else changes it: nobody submits what they have not seen. The page looks for changes every few seconds, so this one comes
  // when the request is on its way.
  const changeFirst = async (route: Route) => {
    await app.request("PATCH", path, { token: user.token, body: { clientName: "Nordlicht" } });
    await route.continue();
  };
  await page.route(`**${path}/submit`, changeFirst, { times: 1 });
  await press(page, "Submit");
  await page.getByRole("alert").getByText("Someone else changed it in the meantime.").waitFor();
  await page.getByText("Nordlicht").waitFor();
  await press(page, "Submit");
  await page.getByText("Submitted and read-only.").waitFor();
  await app.request("POST", `${path}/reopen`, { token: user.token });
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await page.getByRole("button", { name: "Submit" }).waitFor();
  expect(await page.getByRole("treegrid").getAttribute("aria-readonly")).toBe("false");
  expect(await page.getByText("Someone else edited this too").count()).toBe(0);
});

test("an owner shares and asks for a review from the editor, once what was typed is saved", async () => {
  const [owner, reviewer] = [await app.signUp(), await app.signUp()];
  const id = await importAs(app, owner, "# Asked\n\n- Payment (choose one)\n  - [x] Card: 8\n  - [ ] Invoice: 6\n");
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}`);
  const dialog = page.getByRole("dialog");
  await page.locator("[data-choose=Invoice]").click();
  await press(page, "Request review");
  const address = dialog.getByLabel("Reviewer");
  await address.fill(owner.email);
  await press(page, "Send request");
  await dialog.getByText("You own this estimation. Ask someone else to review it.").waitFor();
  await address.fill("nobody@example.com");
  await press(page, "Send request");
  await dialog.getByText("No one here has confirmed this e-mail address").waitFor();
  await expectAccessibleState(page);
  await address.fill(reviewer.email);
  await dialog.getByLabel("What to look at").fill("Is an invoice enough?");
  // Somebody else changes it: nobody asks for a review of what they have not seen. The page looks for changes every few seconds, so
  // this one comes when the request is on its way.
  const changed = { token: owner.token, body: { clientName: "Nordlicht" } };
  const changeFirst = async (route: Route) => {
    await app.request("PATCH", `/api/estimations/${id}`, changed);
    await route.continue();
  };
  await page.route(`**/api/estimations/${id}/reviews`, changeFirst, { times: 1 });
  await press(page, "Send request");
  await dialog.getByText("Someone else changed it in the meantime.").waitFor();
  await press(page, "Send request");
  await dialog.getByText("was asked to review version 1.").waitFor();
  await expectAccessible(page);
  await press(page, "Done");
  await page.getByText("Review requested").waitFor();
  const { data } = await app.request("GET", "/api/reviews", { token: reviewer.token });
  const [review] = data.reviews as unknown as { readonly note: string; readonly version: { readonly id: string } }[];
  expect(review?.note).toBe("Is an invoice enough?");
  const version = await app.request("GET", `/api/estimations/${id}/versions/${review?.version.id}`, {
    token: owner.token,
  });
  expect(version.data.version).toMatchObject({ cause: "review", hours: { expected: 6 } });
  await page.getByRole("link", { name: "Share", exact: true }).click();
  await page.getByLabel("Share with").waitFor();
  // Both stand on every page of the estimation, each once, and say what they do.
  for (const tab of ["Timeline", "Tasks", "Versions", "Reviews", "Activity", "Shares", "Tree"]) {
    await page.getByRole("navigation", { name: "Pages of this estimation" }).getByRole("link", { name: tab }).click();
    await page.locator(`a[aria-current=page]`, { hasText: tab }).waitFor();
    await page.getByRole("link", { name: "Share", exact: true }).waitFor();
    const request = page.getByRole("button", { name: "Request review" });
    expect(await request.getAttribute("aria-description")).toBe("Asks someone to approve it");
  }
  expect(await page.getByRole("button", { name: "Submit" }).getAttribute("aria-description")).toBe(
    "Makes it read-only, ready for tasks",
  );
  const theirs = await openSignedIn(await openBrowser(app), reviewer, `/estimations/${id}`);
  await theirs.getByText("Review requested").waitFor();
  for (const name of ["Share", "Request review", "Submit"])
    expect(await theirs.getByText(name, { exact: true }).count()).toBe(0);
});

test("the link in a mail about a review leads to what was asked and decided", async () => {
  const [owner, reviewer] = [await app.signUp(), await app.signUp()];
  const id = await importAs(app, owner, "# Reviewed\n\n- Scope\n  - Cart: 8\n");
  const body = { reviewerEmail: reviewer.email, note: "Is the cart too cheap?" };
  const { data } = await app.request("POST", `/api/estimations/${id}/reviews`, { token: owner.token, body });
  const path = `/estimations/${id}/reviews/${data.review?.id}`;
  await app.request("POST", `/api${path}/approve`, { token: reviewer.token });
  const page = await openSignedIn(await openBrowser(app), reviewer, path);
  await page.getByRole("heading", { name: "Reviewed" }).waitFor();
  await page.getByText("Is the cart too cheap?").waitFor();
  await page.getByText("Approved", { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Tree" }).click();
  await page.getByText("You can view this estimation, but not edit it.").waitFor();
  expect(await page.getByRole("button", { name: "Submit" }).count()).toBe(0);
});

test("tasks are previewed, generated, worked on, and generated again with each conflict decided", async () => {
  const user = await app.signUp();
  const { token } = user;
  const id = await importAs(app, user, "# Shop\n\n- Scope\n  - Cart: 8\n  - Search: 4-16-34 @backend\n  - Pay: 6\n");
  const path = `/api/estimations/${id}`;
  const tasks = async () =>
    (await app.request("GET", `${path}/tasks`, { token })).data.tasks as unknown as {
      readonly id: string;
      readonly title: string;
      readonly [field: string]: unknown;
    }[];
  const named = async (title: string) => (await tasks()).find((task) => task.title === title);
  await app.request("POST", `${path}/submit`, { token });
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  const row = (name: string) => page.getByRole("row", { name });
  const dialog = page.getByRole("dialog");
  await page.getByRole("link", { name: "Tasks" }).click();
  await page.getByRole("heading", { name: "No tasks yet" }).waitFor();
  await expectAccessibleState(page);
  await press(page, "Generate tasks");
  await dialog.getByText("4 tasks new").waitFor();
  expect(await tasks()).toEqual([]);
  await press(page, "Generate");
  await row("Search").getByText("backend").waitFor();
  await page.getByText("Tasks generated").waitFor();
  await until(async () => (await dialog.count()) === 0);
  expect((await tasks()).map(({ title, hours }) => [title, hours])).toEqual([
    ["Scope", null],
    ["Cart", 8],
    ["Search", 17],
    ["Pay", 6],
  ]);

  // Done, and the hours that it took: by the keyboard, saved when the field is left; after a refusal the stored value shows.
  await app.clock.advance(Math.max(0, Date.now() + 60_000 - app.clock.now().getTime()));
  await row("Cart").getByRole("checkbox").focus();
  await page.keyboard.press("Space");
  await until(async () => (await named("Cart"))?.doneAt !== null);
  const actual = page.getByLabel("Actual hours of Cart");
  await actual.fill("lots");
  await page.keyboard.press("Enter");
  await row("Cart").getByText("Enter hours such as 7.5 or 2d").waitFor();
  // What is done while a response is pending is sent after it, once.
  const responses = Promise.withResolvers<void>();
  const changes: unknown[] = [];
  await page.route("**/tasks/*", async (route) => {
    changes.push(Object.keys(route.request().postDataJSON()));
    await responses.promise;
    await route.continue();
  });
  await actual.fill("9,5");
  await page.keyboard.press("Enter");
  await row("Cart").getByRole("checkbox").click();
  responses.resolve();
  await until(async () => (await named("Cart"))?.doneAt === null);
  expect((await named("Cart"))?.actualHours).toBe(9.5);
  expect(changes).toEqual([["actualHours"], ["doneAt"]]);
  await page.unroute("**/tasks/*");
  // As after its issue was closed as not planned; it is done once somebody says so.
  await app.pool.query("update tasks set dropped_at = now() where id = $1", [(await named("Search"))?.id]);
  await page.reload();
  await row("Search").getByText("dropped").waitFor();
  await expectAccessibleState(page);
  await row("Search").getByRole("checkbox").click();
  await until(async () => (await named("Search"))?.droppedAt === null);
  await row("Search").getByRole("checkbox").click();
  await until(async () => (await named("Search"))?.doneAt === null);
  // Offline nothing waits without a message, and what was typed stays.
  await loadedLater(page, "live-people");
  await page.context().setOffline(true);
  await page.getByLabel("Actual hours of Pay").fill("7");
  await row("Pay").getByRole("checkbox").click();
  await row("Pay").getByRole("alert").getByText("Can’t reach the service.").waitFor();
  await until(async () => !(await row("Pay").getByRole("checkbox").isChecked()));
  expect(await page.getByLabel("Actual hours of Pay").inputValue()).toBe("7");
  await page.context().setOffline(false);
  await page.getByLabel("Actual hours of Pay").press("Escape");
  for (const [name, title, hours] of [
    ["Search", "Full-text search", "20"],
    ["Pay", "Payment", "6"],
  ] as const) {
    await row(name).getByRole("button", { name, exact: true }).click();
    await dialog.getByLabel("Title", { exact: true }).fill(title);
    await dialog.getByLabel("Hours", { exact: true }).fill(hours);
    await page.keyboard.press("Enter");
    await row(title).getByText("edited").waitFor();
  }
  await row("Payment").getByRole("button", { name: "Actions for Payment" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await press(page, "Delete");
  await until(async () => (await row("Payment").count()) === 0);

  // The tree changes where people changed tasks, and somebody changes it again while the preview shows.
  await app.request("POST", `${path}/reopen`, { token });
  const change = async (title: string) => {
    const tree = (await app.request("GET", `${path}/tree`, { token })).data.tree as unknown as {
      readonly nodes: { readonly options: { title: string; hours: unknown }[] }[];
    };
    const option = tree.nodes[0]?.options[1];
    if (option) Object.assign(option, { title, hours: { optimistic: 40, likely: 40, pessimistic: 40 } });
    await app.request("PUT", `${path}/tree`, { token, body: { nodes: tree.nodes } });
  };
  await change("Find");
  await press(page, "Generate again");
  await dialog.getByText("1 task new").waitFor();
  await dialog.getByRole("group", { name: "Full-text search Title" }).waitFor();
  await change("Find things");
  await press(page, "Generate");
  await dialog.getByText("This is the new preview.").waitFor();
  await dialog.getByText("Find things").first().waitFor();
  await dialog.getByRole("group", { name: "Full-text search Hours" }).getByLabel("Tree").check();
  await expectAccessibleState(page);
  await press(page, "Generate");
  await until(async () => (await dialog.count()) === 0);
  await row("Full-text search").getByText("40").waitFor();
  expect((await tasks()).map(({ title, hours, edited }) => [title, hours, edited])).toEqual([
    ["Scope", null, false],
    ["Cart", 8, false],
    ["Full-text search", 40, true],
    ["Pay", 6, false],
  ]);
  await press(page, "Generate again");
  await dialog.getByText(/^Nothing to update\. \d tasks? keeps? (its|their) edits/).waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("Obsolete", { exact: true }).click();
  await page.getByText("No tasks here.").waitFor();
  expect(new URL(page.url()).search).toBe("?status=obsolete");
});

/** Waits for words while the worker goes on, which waits for its turn by the clock of the test. */
const saysWhileWorking = (panel: Locator, words: string) =>
  until(async () => {
    await app.clock.advance(100);
    await makeJobsDue(app.pool);
    return (await panel.innerText()).includes(words);
  });

test("tasks are exported after a dry run, the failed are tried again, and everything shows after a reload", async () => {
  const user = await app.signUp();
  const { token } = user;
  const id = await importAs(app, user, "# Shop\n\n- Scope\n  - Cart: 8\n  - Pay: 6\n");
  for (const move of ["submit", "tasks/generate"]) {
    await app.request("POST", `/api/estimations/${id}/${move}`, { token });
  }
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}/tasks`);
  await press(page, "Export…");
  await page.getByRole("link", { name: "Create a connection" }).waitFor();
  await page.keyboard.press("Escape");
  const body = { target: "github", name: "Fake", baseUrl: github.url, token: github.token };
  await app.request("POST", "/api/connections", { token, body });
  await page.reload();
  await press(page, "Export…");
  await page.getByLabel("Repository").fill("no repository");
  await press(page, "Start");
  await page.getByText(/must be an owner and a repository/i).waitFor();
  const asked = { streams: 0, lists: 0 };
  page.on("request", (request) => {
    if (/\/exports\/[^/]+\/progress$/.test(request.url())) asked.streams += 1;
    if (/\/exports\?limit=1$/.test(request.url())) asked.lists += 1;
  });
  await page.getByLabel("Repository").fill(github.name);
  await expectAccessible(page);
  await press(page, "Start");
  const panel = page.getByRole("region", { name: "Export tasks" });
  const says = (words: string) => saysWhileWorking(panel, words);
  await says("3 issues would be created");
  expect(await panel.innerText()).toContain("Dry run for GitHub");
  expect(github.repository.issues).toHaveLength(0);
  github.faults.next("invalid", /^POST .*\/issues$/);
  await says("Completed");
  await press(page, "Export now");
  await says("1 failed");
  // The progress of each came by one stream, until its end: nothing was read again and again.
  expect(asked).toEqual({ streams: 2, lists: 0 });
  await page.reload();
  await says("Partly completed");
  await press(page, "Show tasks");
  await panel
    .getByRole("link", { name: /^Issue of/ })
    .first()
    .waitFor();
  await expectAccessible(page);
  await panel.getByLabel("Only failed").check();
  await until(async () => (await panel.getByRole("row").count()) === 2);
  await press(page, "Retry failed");
  await says("1 issue created");
  await says("Completed");
  await page.getByText("Exported", { exact: true }).waitFor();
  await until(async () => (await page.getByRole("link", { name: /^GitHub #\d/ }).count()) === 3);
  expect(github.repository.issues).toHaveLength(3);
  // What is done there is read back.
  await press(page, "Update from tracker");
  await says("Update from GitHub");
  await says("Completed");
  // The runs before it, each with its tasks.
  await press(page, "Show earlier exports");
  const history = page.getByRole("table", { name: "Earlier exports" });
  await expect
    .poll(async () => (await history.locator("tbody tr").allInnerTexts()).map((row) => row.split("\t").slice(0, 3)))
    .toEqual([
      ["Export to GitHub nordlicht/shop", "Completed", "1 issue created"],
      ["Export to GitHub nordlicht/shop", "Partly completed", "2 issues created · 1 failed"],
      ["Dry run for GitHub nordlicht/shop", "Completed", "3 issues would be created"],
    ]);
  await history
    .getByRole("button", { name: /^Tasks of Export/ })
    .first()
    .click();
  const earlier = page.getByRole("region", { name: "Earlier exports" });
  await expect.poll(() => earlier.getByRole("link", { name: /^Issue of/ }).count()).toBe(1);
  await expectAccessible(page);
});

test("issues of tasks that were cut are named below a dry run, and closed with one click", async () => {
  const user = await app.signUp();
  const { token } = user;
  const id = await importAs(app, user, "# Shop\n\n- Scope\n  - Cart: 8\n  - Pay: 6\n");
  await app.request("POST", `/api/estimations/${id}/tasks/generate`, { token });
  const connection = { target: "github", name: "Fake", baseUrl: github.url, token: github.token };
  await app.request("POST", "/api/connections", { token, body: connection });
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}/tasks`);
  const panel = page.getByRole("region", { name: "Export tasks" });
  await press(page, "Export…");
  await page.getByLabel("Repository").fill(github.name);
  await page.getByRole("radio", { name: "Export", exact: true }).check();
  await press(page, "Start");
  await saysWhileWorking(panel, "Completed");
  const { data } = await app.request("GET", `/api/estimations/${id}/tree`, { token });
  const { nodes } = data.tree as unknown as { nodes: { options: object[] }[] };
  const body = { nodes: nodes.map((node) => ({ ...node, options: node.options.slice(0, 1) })) };
  await app.request("PUT", `/api/estimations/${id}/tree`, { token, body });
  await app.request("POST", `/api/estimations/${id}/tasks/generate`, { token });
  await page.reload();
  await press(page, "Export…");
  await press(page, "Start");
  const obsolete = panel.getByRole("region", { name: "Issues of obsolete tasks" });
  await saysWhileWorking(panel, "1 issue is still open, although its task is no longer part of the estimation.");
  const pay = github.repository.issues.findLast(({ title }) => title === "Pay");
  expect(await obsolete.getByRole("link", { name: "Pay" }).getAttribute("href")).toMatch(`/issues/${pay?.number}`);
  await expectAccessible(page);
  expect(pay?.closedAt).toBeNull();
  await obsolete.getByRole("button", { name: "Close 1 issue" }).click();
  await saysWhileWorking(panel, "Close issues in GitHub");
  await saysWhileWorking(panel, "Completed");
  expect([pay?.stateReason, pay?.comments.length]).toEqual(["not_planned", 1]);
  expect(await obsolete.count()).toBe(0);
});

test("a stream that is refused is asked for again, and the progress of the export still shows", async () => {
  const user = await app.signUp();
  const { token } = user;
  const id = await importAs(app, user, "# Shop\n\n- Scope\n  - Cart: 8\n");
  for (const move of ["submit", "tasks/generate"])
    await app.request("POST", `/api/estimations/${id}/${move}`, { token });
  const connection = { target: "github", name: "Fake", baseUrl: github.url, token: github.token };
  await app.request("POST", "/api/connections", { token, body: connection });
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}/tasks`);
  // The run stays under way until its stream was asked for twice.
  github.faults.next("slow", /^GET \/repos\/\{owner\}\/\{repo\}$/);
  let refused = 0;
  await page.route(/\/progress$/, async (route) => {
    refused += 1;
    if (refused > 1) return route.continue();
    await route.fulfill({ status: 429, json: { success: false, message: "rate_limited" } });
  });
  await press(page, "Export…");
  await page.getByLabel("Repository").fill(github.name);
  await press(page, "Start");
  await expect.poll(() => refused).toBeGreaterThan(1);
  const panel = page.getByRole("region", { name: "Export tasks" });
  await until(async () => {
    github.release();
    await app.clock.advance(100);
    await makeJobsDue(app.pool);
    return (await panel.innerText()).includes("would be created");
  });
});

test("the type of issues is chosen from those of the Jira project, and written where they cannot be listed", async () => {
  const jira = await startJira({ now: app.clock.now });
  jira.trustedBy(app.services.config.dataDir);
  try {
    const user = await app.signUp();
    const { token } = user;
    const id = await importAs(app, user, "# Shop\n\n- Scope\n  - Cart: 8\n");
    for (const move of ["submit", "tasks/generate"]) {
      await app.request("POST", `/api/estimations/${id}/${move}`, { token });
    }
    const connection = { target: "jira", name: "Fake", baseUrl: jira.url, email: jira.email, token: jira.token };
    await app.request("POST", "/api/connections", { token, body: connection });
    const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}/tasks`);
    await press(page, "Export…");
    await page.getByText("Enter the project first").waitFor();
    await page.getByLabel("Project").fill("SHOP");
    const types = page.getByLabel("Issue type (optional)");
    await expect
      .poll(() => types.locator("option").allInnerTexts())
      .toEqual(["The usual one: Task or Story", "Epic", "Bug", "Task"]);
    await types.selectOption("Bug");
    await expectAccessible(page);
    await press(page, "Start");
    await page.getByText("Dry run for Jira SHOP").waitFor();
    const { data } = await app.request("GET", `/api/estimations/${id}/exports`, { token });
    expect(data.exports?.[0]).toMatchObject({ projectKey: "SHOP", issueType: "Bug" });
    await app.request("POST", `/api/estimations/${id}/exports/${data.exports?.[0]?.id}/cancel`, { token });
    await page.reload();
    jira.site.settings.tokenRevoked = true;
    await press(page, "Export…");
    await page.getByText(/^The types can’t be listed\./).waitFor();
    // What was chosen last stays.
    expect(await types.inputValue()).toBe("Bug");
  } finally {
    await jira.close();
  }
});

test("the buttons of an estimation stay in place however long the texts beside them are", async () => {
  const owner = await app.signUp();
  const id = await importAs(app, owner, "# Shop\n\n- Scope\n  - Cart: 8\n");
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}`);
  const placeOf = async (name: string) => {
    const box = await page.getByRole("button", { name, exact: true }).boundingBox();
    return [Math.round(box?.x ?? -1), Math.round(box?.y ?? -1)];
  };
  const places = async () => [await placeOf("Submit"), await placeOf("Other actions")];
  const before = await places();
  const body = { clientName: "A client with quite a long name ".repeat(6).trim() };
  await app.request("PATCH", `/api/estimations/${id}`, { token: owner.token, body });
  await page.reload();
  await page.getByText(body.clientName).waitFor();
  expect(await places()).toEqual(before);
});
