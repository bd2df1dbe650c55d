import { readFileSync } from "node:fs";
import type { Route } from "playwright-core";
import { expect, test } from "vitest";
import { preparePages } from "../../server/pages/index.ts";
import { start, type TestUser } from "../harness.ts";
import { isLater } from "../support/later-files.ts";
import { loadedLater } from "./actions.ts";
import {
  expectAccessible,
  expectAccessibleState,
  openBrowser,
  openSignedIn,
  signIn,
  withoutStream,
} from "./browser.ts";

const app = await start({ pages: true });

async function makeEstimation({ token }: TestUser, body: object): Promise<string> {
  const { data } = await app.request("POST", "/api/estimations", { token, body });
  return String(data.estimation?.id);
}

const checkout = readFileSync(new URL("../../examples/checkout.json", import.meta.url), "utf8");

test("the list is filtered, searched and sorted in its address, and shows more on request", async () => {
  const user = await app.signUp();
  const numbers = Array.from({ length: 52 }, (_, index) => index + 1);
  await Promise.all(
    numbers.map((number) =>
      makeEstimation(user, { title: `Project ${number}`, tags: number % 2 ? ["odd"] : [], clientName: "Client A" }),
    ),
  );
  const submitted = await makeEstimation(user, { title: "Café relaunch" });
  const tree = { nodes: [{ title: "Scope", kind: "group", options: [{ title: "All", hours: 1234.5 }] }] };
  await app.request("PUT", `/api/estimations/${submitted}/tree`, { token: user.token, body: tree });
  await app.request("POST", `/api/estimations/${submitted}/submit`, { token: user.token });
  const page = await openSignedIn(await openBrowser(app), user);
  const rows = page.locator("tbody tr");
  await page.getByText("50 estimations shown").waitFor();
  await expectAccessibleState(page);
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("53 estimations").waitFor();
  expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
  await page.getByRole("searchbox").fill("CAFÉ");
  await page.getByText("1 estimation").waitFor();
  expect(new URL(page.url()).searchParams.get("q")).toBe("CAFÉ");
  expect(await rows.first().innerText()).toMatch(/Café relaunch[\s\S]*Submitted[\s\S]*1,235/);
  await page.reload();
  await page.getByText("1 estimation").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByText("50 estimations shown").waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("");
  await page.getByRole("link", { name: "#odd" }).first().click();
  await page.getByText("26 estimations").waitFor();
  await page.getByRole("combobox", { name: "Sort" }).selectOption("createdAt");
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("checkbox", { name: "Submitted" }).click();
  await page.getByRole("heading", { name: "No matches" }).waitFor();
  expect(new URL(page.url()).search).toBe("?tag=odd&sort=createdAt&status=submitted");
  await expectAccessibleState(page);
  // Any of several: the list of statuses stays open, and a tag that no row shows is written.
  await page.getByRole("checkbox", { name: "Draft" }).click();
  await page.getByText("26 estimations").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Tags: #odd" }).click();
  await page.keyboard.type("even");
  await page.keyboard.press("Enter");
  await page.getByRole("checkbox", { name: "#even" }).waitFor();
  expect(new URL(page.url()).search).toBe("?tag=odd&tag=even&sort=createdAt&status=draft&status=submitted");
  // Not `uncheck`, which looks at the box again: it is gone once no row and no filter has the tag.
  await page.getByRole("checkbox", { name: "#odd" }).click();
  await page.getByRole("heading", { name: "No matches" }).waitFor();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await page.getByText("50 estimations shown").waitFor();
  await page.goto("/estimations?status=nonsense&access=viewer&access=reviewer");
  await page.getByRole("button", { name: "Access: Can view, Reviewer" }).waitFor();
  await page.getByRole("heading", { name: "No matches" }).waitFor();
});

test("the list names the owner of what is shared, and what the reader may do with it", async () => {
  const [reader, owner] = [await app.signUp(), await app.signUp()];
  await app.pool.query("update users set name = 'Ada Lovelace' where id = $1", [owner.userId]);
  await makeEstimation(reader, { title: "Mine" });
  const id = await makeEstimation(owner, { title: "Theirs" });
  const path = `/api/estimations/${id}/shares`;
  const body = { email: reader.email, permission: "view" };
  const { data } = await app.request("POST", path, { token: owner.token, body });
  await app.request("POST", `/api/shares/${data.share?.id}/accept`, { token: reader.token });
  const page = await openSignedIn(await openBrowser(app), reader);
  expect(await page.getByRole("row", { name: "Theirs" }).innerText()).toMatch(/Ada Lovelace\s+Can view/);
  expect(await page.getByRole("row", { name: "Mine" }).innerText()).toMatch(/You/);
  await page.setViewportSize({ width: 375, height: 700 });
  await page.getByText("Ada Lovelace").waitFor();
});

test("an empty list offers examples, which fill it", async () => {
  const user = await app.signUp();
  const page = await openSignedIn(await openBrowser(app), user);
  await page.getByRole("heading", { name: "No estimations yet" }).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add examples" }).click();
  await page.getByText("3 estimations").waitFor();
  expect(await page.getByRole("row").getByText("Example", { exact: true }).count()).toBe(3);
  await page.getByRole("link", { name: "Checkout for the web shop" }).click();
  await page.getByRole("heading", { name: "Checkout for the web shop" }).waitFor();
});

test("an estimation is deleted, comes back from where it was deleted and from the trash, and is duplicated", async () => {
  const user = await app.signUp();
  await makeEstimation(user, { title: "Kept" });
  const page = await openSignedIn(await openBrowser(app), user);
  const act = async (name: string) => {
    await page.getByRole("button", { name: "Actions for Kept" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await act("Move to trash");
  await page.getByRole("heading", { name: "No estimations yet" }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("link", { name: "Kept" }).waitFor();
  await act("Move to trash");
  await page.getByRole("heading", { name: "No estimations yet" }).waitFor();
  await page.getByRole("link", { name: "Trash" }).click();
  await page.getByRole("heading", { name: "Trash" }).waitFor();
  await page.getByText("Deleted estimations can be restored for 30 days, then they’re gone for good.").waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Restore" }).click();
  await page.getByText("“Kept” restored.").waitFor();
  await page.goto("/estimations");
  await act("Duplicate");
  await page.getByRole("heading", { name: "Kept" }).waitFor();
  await page.getByRole("link", { name: "Estimations" }).first().click();
  await page.getByText("2 estimations").waitFor();
});

test("an estimation is made empty, from a template, and from an outline whose preview says what was understood", async () => {
  const user = await app.signUp();
  const body = { format: "json", content: checkout };
  const { data } = await app.request("POST", "/api/estimations/import", { token: user.token, body });
  const template = { estimationId: data.estimation?.id, name: "Checkout of a shop" };
  await app.request("POST", "/api/templates", { token: user.token, body: template });
  const page = await openSignedIn(await openBrowser(app), user);
  await page.getByRole("link", { name: "New estimation" }).click();
  // Exactly: the search of the list, which may still be there, has the word in its label.
  await page.getByLabel("Title", { exact: true }).fill("Empty one");
  // The response is lost: trying again opens what was made. The list may still be loaded from the same address.
  let isLost = false;
  await page.route("**/api/estimations", async (route: Route) => {
    if (isLost || route.request().method() !== "POST") return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Create estimation" }).click();
  await page.getByText("Can’t reach the service.").waitFor();
  await page.getByRole("button", { name: "Create estimation" }).click();
  await page.getByRole("heading", { name: "Empty one" }).waitFor();
  const made = await app.request("GET", "/api/estimations?q=Empty", { token: user.token });
  expect(made.data.estimations).toHaveLength(1);
  await page.goto("/estimations/new");
  await page.getByText("From a template", { exact: true }).click();
  await page.getByLabel("Title", { exact: true }).fill("Templated one");
  await page.getByText("Checkout of a shop").click();
  await page.getByRole("region", { name: "Preview" }).getByText("Payment").first().waitFor();
  // The request that applies the template is lost, and so would be one that removes what is half made.
  await page.route("**/apply-template", (route: Route) => route.abort(), { times: 1 });
  await page.route("**/api/estimations/*", (route: Route) =>
    route.request().method() === "DELETE" ? route.abort() : route.continue(),
  );
  await page.getByRole("button", { name: "Create estimation" }).click();
  await page.getByText("Can’t reach the service.").waitFor();
  await page.getByRole("button", { name: "Create estimation" }).click();
  await page.getByRole("heading", { name: "Templated one" }).waitFor();
  const templated = await app.request("GET", "/api/estimations?q=Templated", { token: user.token });
  expect(templated.data.estimations).toHaveLength(1);
  await page.goto("/estimations/new");
  await page.getByText("From a file or outline").click();
  const outline = page.getByLabel("Outline or exported file");
  await outline.fill("# Shop\n\n- Payment (choose one)\n  - [x] Card: 1,250\n");
  await page.getByText("Line 4", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Import" }).isDisabled()).toBe(true);
  await outline.fill("# Shop\n\n- Payment (choose one)\n  - [x] Card: 4-16-34\n  - [ ] Invoice: 6\n");
  const understood = page.getByRole("region", { name: "Preview of the import" });
  await understood.getByText("1 question, 2 options").waitFor();
  expect(await understood.innerText()).toMatch(/P80\s+22\.1 h/);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Import" }).click();
  // Not the heading of the preview, which says the same.
  await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
  expect(await page.getByRole("complementary", { name: "Estimate" }).innerText()).toMatch(/^22\.1 h/);
  await page.goto("/estimations/new");
  await page.getByText("From a file or outline").click();
  await page
    .getByLabel("Choose a file")
    .setInputFiles({ name: "checkout.json", mimeType: "application/json", buffer: Buffer.from(checkout) });
  await understood.waitFor();
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByRole("heading", { name: "Checkout for the web shop", level: 1 }).waitFor();
});

test("somebody else's estimation and one that does not exist show the same", async () => {
  const [owner, stranger] = [await app.signUp(), await app.signUp()];
  const id = await makeEstimation(owner, { title: "Secret" });
  const page = await openSignedIn(await openBrowser(app), stranger, `/estimations/${id}`);
  for (const path of [`/estimations/${id}`, `/estimations/est_${"0".repeat(26)}`]) {
    await page.goto(path);
    await page.getByRole("heading", { name: "Estimation not found" }).waitFor();
  }
  await expectAccessibleState(page);
  await page.goto("/nowhere");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await expectAccessibleState(page);
});

test("a page that cannot be loaded, or fails, says so and can be retried", async () => {
  const user = await app.signUp();
  const browser = await openBrowser(app, {}, /Failed to fetch dynamically imported module|the page is gone/);
  const page = await openSignedIn(browser, user, "/docs");
  const refuse = (route: Route) =>
    route.fulfill({ status: 500, json: { success: false, message: "internal_error", requestId: "req_1" } });
  await page.route("**/api/estimations?*", refuse);
  await page.getByRole("link", { name: "Estimations", exact: true }).click();
  await page.getByRole("alert").getByText("The service failed.").waitFor();
  await expectAccessibleState(page);
  await page.unroute("**/api/estimations?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "No estimations yet" }).waitFor();
  await loadedLater(page);
  await page.context().setOffline(true);
  await page.getByText("You’re offline. What you see may be out of date.").waitFor();
  await expectAccessibleState(page);
  await page.context().setOffline(false);
  // A part of the application that does not arrive, as after a new version was installed.
  await page.route("**/assets/trash-page-*.js", (route) => route.abort());
  await page.goto("/estimations/trash");
  await page.getByRole("heading", { name: "Something went wrong" }).waitFor();
  // Said only once reloading did not help.
  expect(await page.evaluate("performance.getEntriesByType('navigation')[0].type")).toBe("reload");
  await expectAccessibleState(page);
});

test("the empty lists that a newcomer sees are accessible", async () => {
  const page = await openSignedIn(await openBrowser(app), await app.signUp());
  for (const [path, heading] of [
    ["/estimations", "No estimations yet"],
    ["/shared", "Nothing shared with you yet"],
    ["/profile/api-keys", "No API keys yet"],
    ["/profile/webhooks", "No webhooks yet"],
    ["/profile/connections", "No connections yet"],
  ] as const) {
    await page.evaluate(`history.pushState({}, "", ${JSON.stringify(path)})`);
    await page.getByRole("heading", { name: heading }).waitFor();
    await expectAccessibleState(page);
  }
});

test("a page is painted before its scripts are there, and says so no longer afterwards", async () => {
  const page = await (await openBrowser(app)).newPage();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/sign-in", { waitUntil: "commit" });
  const early = page.getByText("Loading …");
  await early.waitFor();
  await page.waitForFunction('performance.getEntriesByName("first-contentful-paint").length === 1');
  await expectAccessible(page, ["color-contrast"]);
  release();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await early.isVisible()).toBe(false);
});

test("the title of an estimation shows before the application's scripts are there, at the place where it stays", async () => {
  const user = await app.signUp();
  const { data } = await app.request("POST", "/api/estimations", { token: user.token, body: { title: "Web shop" } });
  const page = await openSignedIn(await openBrowser(app), user, "/docs");
  for (const width of [1280, 375]) {
    const released = Promise.withResolvers<void>();
    await page.route("**/assets/*.js", async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.setViewportSize({ width, height: 720 });
    await page.goto(`/estimations/${data.estimation?.id}`, { waitUntil: "commit" });
    const title = page.getByRole("heading", { name: "Web shop" });
    await title.waitFor();
    const early = await title.boundingBox();
    await page.getByText("Loading …").waitFor();
    released.resolve();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    // Until everything above it is there.
    const place = async () => {
      const box = await title.boundingBox();
      return [box?.x, box?.y];
    };
    await expect.poll(place).toEqual([early?.x, expect.closeTo(early?.y ?? 0, -1)]);
    await page.unrouteAll();
  }
});

test("a page looks the same whether it is opened by its address or from another page", async () => {
  const user = await app.signUp();
  const { token } = user;
  const { data } = await app.request("POST", "/api/estimations/import", {
    token,
    body: { format: "outline", content: "# Shop\n\n- Screens\n  - Cart: 4-8-30\n" },
  });
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${data.estimation?.id}`);
  const looks = async () => {
    const calculated = page.getByRole("button", { name: "How is this calculated?" });
    await calculated.waitFor();
    await page.getByRole("row", { name: "Cart" }).waitFor();
    return page.evaluate<
      string[]
    >(`[...document.querySelectorAll("aside button, [class*=driver], [role=gridcell]")].map((element) => {
      const { color, fontSize, padding, margin } = getComputedStyle(element);
      return [color, fontSize, padding, margin].join(" ");
    })`);
  };
  const opened = await looks();
  expect(opened.length).toBeGreaterThan(5);
  await page.goto("/docs");
  await page.getByRole("link", { name: "Estimations", exact: true }).click();
  await page.getByRole("link", { name: "Shop" }).click();
  expect(await looks()).toEqual(opened);
});

test("what a browser loads at first stays within its budget", async () => {
  const user = await app.signUp();
  const browser = await withoutStream(await openBrowser(app));
  const page = await browser.newPage();
  const { assets } = await preparePages();
  const loaded = new Set<string>();
  page.on("request", (request) => loaded.add(new URL(request.url()).pathname.slice("/assets/".length)));
  const kilobytes = (end: string) =>
    [...loaded]
      .filter((name) => name.endsWith(end) && !isLater(name))
      .reduce((sum, name) => sum + (assets.get(name)?.gzip.length ?? 0), 0) / 1024;
  await page.goto("/sign-in", { waitUntil: "networkidle" });
  console.log(
    ` With gzip, the first page loads ${kilobytes(".js").toFixed(1)} KB of JavaScript, ${kilobytes(".css").toFixed(0)} KB of styles`,
  );
  expect(kilobytes(".js")).toBeGreaterThan(50);
  expect(kilobytes(".js")).toBeLessThanOrEqual(160);
  expect(kilobytes(".css")).toBeLessThanOrEqual(30);
  const id = await makeEstimation(user, { title: "Budget" });
  await signIn(page, user);
  await page.getByRole("link", { name: "Budget" }).click();
  await page.getByRole("heading", { name: "Budget" }).waitFor();
  expect(page.url()).toContain(id);
  await page.waitForLoadState("networkidle");
  console.log(` with the list and the tree ${kilobytes(".js").toFixed(1)} KB of JavaScript`);
  expect(kilobytes(".js")).toBeLessThanOrEqual(200);
});
