import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { start, until } from "../harness.ts";
import { keys, press } from "./actions.ts";
import { expectAccessible, expectAccessibleState, openBrowser, openSignedIn, signIn } from "./browser.ts";
import { tabTo } from "./keyboard.ts";
import { line, type NodeJson, type OptionJson, setReviewScene, tree } from "./review-scene.ts";

const app = await start({ pages: true });
const setScene = () => setReviewScene(app);

describe("a review in the page", () => {
  test("is opened by the link of its mail, read, commented and decided by a second person, and seen by the first", async () => {
    const { owner, reviewer, id, path, send, stored, nodes } = await setScene();
    const browser = await openBrowser(app);
    const page = await browser.newPage();
    await page.goto(path);
    await signIn(page, reviewer);
    await page.getByRole("heading", { name: "Review of version 1" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    await page.getByText("0 of 4 viewed").waitFor();
    // What was looked at is kept.
    await line(page, /Card/).getByRole("checkbox").check();
    await page.getByText("1 of 4 viewed").waitFor();
    await line(page, /Screens/)
      .getByRole("checkbox")
      .check();
    await page.getByText("3 of 4 viewed").waitFor();
    const kept = async () => (await send(reviewer, "GET", path.slice(path.indexOf("/reviews")))).viewed;
    await until(async () => ((await kept()) as unknown as string[]).length === 3);
    await page.reload();
    await page.getByText("3 of 4 viewed").waitFor();
    const part = page.getByRole("checkbox", { name: "Viewed, all of: Payment" });
    await expect
      .poll(() => part.evaluate((box) => (box as unknown as { indeterminate: boolean }).indeterminate))
      .toBe(true);

    // A comment on a line, then a verdict, by keys.
    await line(page, /Cart/).click();
    await page.getByRole("region", { name: "Selected line" }).getByText("8–12–30 h").waitFor();
    await press(page, "Comment on this line");
    await page.keyboard.type("Is this enough for guests?");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("article", { name: "Comment of Rita Reviewer" }).getByText("Screens: Cart").waitFor();
    await line(page, /Cart/).getByRole("button", { name: "1 open: comments on Cart" }).waitFor();
    await page.getByText("Request changes").click();
    const bar = page.getByRole("form", { name: "Your verdict" });
    expect(await bar.getByRole("button", { name: "Request changes" }).isDisabled()).toBe(true);
    await bar.getByRole("textbox").fill("Guests are missing.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Changes requested.").waitFor();
    expect((await stored())?.status).toBe("changes_requested");

    // The owner finds it from the mark in the list, answers, settles and edits.
    const theirs = await openSignedIn(await openBrowser(app), owner);
    await theirs.getByRole("link", { name: "Changes requested" }).click();
    await theirs.getByRole("link", { name: "Rita Reviewer" }).click();
    const thread = theirs.getByRole("article", { name: "Comment of Rita Reviewer" }).first();
    await thread.getByRole("button", { name: "Reply" }).click();
    await theirs.keyboard.type("Added.");
    await theirs.keyboard.press("Control+Enter");
    await thread.getByText("Added.").waitFor();
    await thread.getByRole("button", { name: "Resolve" }).click();
    await until(async () => (await theirs.getByRole("article").count()) === 1);
    expect(await theirs.getByRole("checkbox", { name: /Viewed/ }).count()).toBe(0);
    const [payment, screens] = (await nodes()) as [NodeJson, NodeJson];
    const [cart] = screens.options as [OptionJson];
    const changed = { ...cart, hours: { optimistic: 8, likely: 16, pessimistic: 40 } };
    const guest = { title: "Guests", hours: 5, selected: true };
    await send(owner, "PUT", "/tree", { nodes: [payment, { ...screens, options: [changed, guest] }] });
    await theirs.getByText("The estimation has changed since this version.").waitFor();
    await press(theirs, "Ask to review again");
    await theirs.getByText("Asked to review the current version.").waitFor();
    await theirs.getByRole("heading", { name: "Review of version 2" }).waitFor();

    // The reviewer, whose page is still open, sees what changed since the own verdict; only marks of that are gone.
    await page.getByText("You were asked again: this is version 2 now.").waitFor();
    // The line that was selected is one of the changes.
    await page.getByText("1 of 3").waitFor();
    await page.getByText("1 of 4 viewed").waitFor();
    await page.getByText("You requested changes to version 1, ").waitFor();
    await theirs.getByText("Rita Reviewer requested changes to version 1, ").waitFor();
    expect(await line(page, /Cart/).innerText()).toContain("changed");
    expect(await line(page, /Guests/).innerText()).toContain("added");
    expect(await line(page, /List/).innerText()).toContain("removed");
    await line(page, /Card/).click();
    await page.keyboard.press("n");
    await page.getByText("1 of 3").waitFor();
    await page.getByRole("region", { name: "Selected line" }).getByText("8–12–30").first().waitFor();
    await keys(page, "n", "n", "n");
    await page.getByText("1 of 3").waitFor();
    await page.keyboard.press("p");
    await page.getByText("3 of 3").waitFor();
    await page.getByText("Only changes").click();
    await until(async () => (await line(page, /Card/).count()) === 0);
    await page.getByLabel("Compare with").selectOption("none");
    await until(async () => (await line(page, /List/).count()) === 0);
    expect(page.url()).toContain("since=none");
    await page.getByText("Approve", { exact: true }).click();
    await page.getByRole("form").getByRole("button", { name: "Approve" }).click();
    await page.getByText("Approved.", { exact: true }).waitFor();
    const now = await stored();
    expect([now?.status, (now as unknown as { judgedVersion: { number: number } }).judgedVersion.number]).toEqual([
      "approved",
      2,
    ]);
    expect(
      (await app.request("GET", `/api/estimations/${id}`, { token: owner.token })).data.estimation?.reviewState,
    ).toBe("approved");
  });

  test("keeps the marks of what changed after the verdict, for the reviewer and the owner", async () => {
    const { owner, reviewer, path, send, ask, nodes, review } = await setScene();
    await send(reviewer, "POST", `/reviews/${review}/approve`);
    const [payment] = await nodes();
    const guest = { title: "Guests", hours: 5 };
    await send(owner, "PUT", "/tree", { nodes: [{ ...payment, options: [...(payment?.options ?? []), guest] }] });
    await ask();
    const [page, theirs] = await Promise.all(
      [reviewer, owner].map(async (by) => openSignedIn(await openBrowser(app), by, path)),
    );
    if (!page || !theirs) throw new Error("no pages");
    const expectMarks = async (on: Page, base: string) => {
      await line(on, /Guests/)
        .filter({ hasText: "added" })
        .waitFor();
      await line(on, /Screens/)
        .filter({ hasText: "removed" })
        .waitFor();
      expect(await on.getByLabel("Compare with").locator("option:checked").textContent()).toBe(base);
    };
    await page.getByText("You approved version 1, ").waitFor();
    await theirs.getByText("Rita Reviewer approved version 1, ").waitFor();
    await expectMarks(page, "Version 1, your previous verdict");
    await expectMarks(theirs, "Version 1, previous verdict");
    await page.getByText("Request changes").click();
    await page.getByRole("form", { name: "Your verdict" }).getByRole("textbox").fill("Why without screens?");
    await page.keyboard.press("Control+Enter");
    await page.locator("header strong").getByText("Changes requested").waitFor();
    await theirs.reload();
    await theirs.locator("header strong").getByText("Changes requested").waitFor();
    await expectMarks(page, "Version 1, your previous verdict");
    await expectMarks(theirs, "Version 1, previous verdict");
  });

  test("is done by keyboard alone: read, viewed, commented, approved", async () => {
    const { reviewer, path, stored, send, review } = await setScene();
    const page = await openSignedIn(await openBrowser(app), reviewer, path);
    await tree(page).waitFor();
    for (let steps = 0; steps < 60; steps += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate("document.activeElement.dataset.row !== undefined")) break;
    }
    await keys(page, "ArrowDown", " ");
    await page.getByText("1 of 4 viewed").waitFor();
    await keys(page, "u", " ");
    await page.getByText("2 of 4 viewed").waitFor();
    expect(await page.evaluate("document.activeElement.innerText")).toContain("Invoice");
    await keys(page, "Home", "ArrowLeft");
    await until(async () => (await line(page, /Invoice/).count()) === 0);
    await keys(page, "ArrowRight", "End", "Enter");
    await page.keyboard.type("Fine.");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("article").getByText("Fine.").waitFor();
    // The comment shows before everything else that it changes is read again: until then nothing more is sent.
    await until(() => page.getByRole("textbox", { name: "Leave a comment" }).isEditable());
    // First the button, which has nothing to send yet, then what it would send.
    await tabTo(page, "Comment");
    await tabTo(page, "Comment");
    await keys(page, "ArrowRight");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Approved.", { exact: true }).waitFor();
    expect((await stored())?.status).toBe("approved");
    const { comments } = await send(reviewer, "GET", `/reviews/${review}/comments`);
    expect(comments).toEqual([expect.objectContaining({ body: "Fine.", optionId: expect.any(String) })]);
  });

  test("is linked to in every state: the line, changes only, and a comment that is settled", async () => {
    const { owner, reviewer, path, send, review, ask, nodes } = await setScene();
    const comments = `/reviews/${review}/comments`;
    const said = await send(owner, "POST", comments, { body: "Is it enough?" });
    const reply = await send(reviewer, "POST", comments, { body: "It is.", parentId: said.comment?.id });
    await send(owner, "PATCH", `${comments}/${said.comment?.id}`, { resolved: true });
    await send(reviewer, "POST", `/reviews/${review}/approve`);
    const [payment, screens] = (await nodes()) as [NodeJson, NodeJson];
    const options = [{ ...screens.options[0], hours: 9 }, screens.options[1]];
    await send(owner, "PUT", "/tree", { nodes: [payment, { ...screens, options }] });
    await ask();
    const browser = await openBrowser(app);
    const page = await openSignedIn(browser, reviewer, path);
    await page.getByText("Only changes").click();
    await until(async () => (await line(page, /Card/).count()) === 0);
    await line(page, /Cart/).click();
    await until(() => page.url().endsWith(`?only=changes#${screens.options[0]?.id}`));
    const other = await browser.newPage();
    await other.goto(page.url());
    await until(async () => (await other.evaluate<string>("document.activeElement.innerText")).includes("Cart"));
    expect(await line(other, /Card/).count()).toBe(0);
    // The comment that a link leads to shows, although its thread is settled, and the tab lists what is open.
    await other.goto(`${path}#${reply.comment?.id}`);
    await until(async () => (await other.evaluate<string>("document.activeElement.innerText")).includes("It is."));
    await line(other, /Card/).click();
    await until(() => other.url().endsWith(`#${payment.options[0]?.id}`));
    await other.getByRole("article").getByText("It is.").waitFor();
  });

  test("is compared with every version, also those that are not on the first page", async () => {
    const { owner, reviewer, path, send, ask, nodes } = await setScene();
    const [payment, screens] = (await nodes()) as [NodeJson, NodeJson];
    for (let version = 0; version < limits.pageSizeInside; version += 1) {
      const [cart, ...others] = screens.options;
      const options = [{ ...cart, hours: version + 1 }, ...others];
      await send(owner, "PUT", "/tree", { nodes: [payment, { ...screens, options }] });
      await send(owner, "POST", "/versions");
    }
    await ask();
    const page = await openSignedIn(await openBrowser(app), reviewer, path);
    await page.getByRole("button", { name: "Older versions" }).focus();
    await page.keyboard.press("Enter");
    const since = page.getByLabel("Compare with");
    await since.locator("option", { hasText: /^Version 1$/ }).waitFor({ state: "attached" });
    expect(await page.getByRole("button", { name: "Older versions" }).count()).toBe(0);
    await since.selectOption({ label: "Version 1" });
    await line(page, /Cart/).getByText("changed").waitFor();
  });

  test("shows the values of a change below the line that is tapped on a phone, and takes a comment on it", async () => {
    const { owner, reviewer, path, send, review, ask, nodes } = await setScene();
    await send(reviewer, "POST", `/reviews/${review}/approve`);
    const [payment, screens] = (await nodes()) as [NodeJson, NodeJson];
    const [cart, ...others] = screens.options;
    await send(owner, "PUT", "/tree", {
      nodes: [payment, { ...screens, options: [{ ...cart, hours: 40 }, ...others] }],
    });
    await ask();
    const browser = await openBrowser(app, { viewport: { width: 375, height: 700 }, hasTouch: true });
    const page = await openSignedIn(browser, reviewer, path);
    await line(page, /Cart/).getByText("changed").first().tap();
    const values = tree(page).getByRole("region", { name: "Selected line" });
    await values.getByText("8–12–30").waitFor();
    await values.getByText("40", { exact: true }).first().waitFor();
    await expectAccessible(page, undefined, []);
    await values.getByRole("button", { name: "Comment on this line" }).tap();
    await page.keyboard.type("Why so much?");
    await page.getByRole("form").getByRole("button", { name: "Comment", exact: true }).tap();
    await page.getByRole("article").getByText("Why so much?").waitFor();
    const { comments } = await send(owner, "GET", `/reviews/${review}/comments`);
    expect(comments).toEqual([expect.objectContaining({ body: "Why so much?", optionId: cart?.id })]);
  });

  test("is asked for again only about what the owner has seen", async () => {
    const { owner, path, send, nodes, stored } = await setScene();
    const page = await openSignedIn(await openBrowser(app), owner, path);
    const [payment, screens] = (await nodes()) as [NodeJson, NodeJson];
    await send(owner, "PUT", "/tree", { nodes: [payment] });
    await page.getByText("The estimation has changed since this version.").waitFor();
    // Somebody changes it at the last moment.
    let isFirst = true;
    await page.route(/\/reviews$/, async (route) => {
      const isAsked = isFirst && route.request().method() === "POST";
      if (isAsked) await send(owner, "PUT", "/tree", { nodes: [screens] });
      if (isAsked) isFirst = false;
      await route.continue();
    });
    await press(page, "Ask to review again");
    await page.getByText("Somebody has just changed the estimation again.").waitFor();
    expect((await stored())?.status).toBe("pending");
    await page.getByRole("heading", { name: "Review of version 1" }).waitFor();
    await press(page, "Ask to review again");
    await page.getByRole("heading", { name: "Review of version 2" }).waitFor();
  });

  test("is withdrawn by who asked, and then can only be read; declined, it ends for the reviewer", async () => {
    const { owner, reviewer, path, stored, ask } = await setScene();
    const page = await openSignedIn(await openBrowser(app), owner, path);
    await press(page, "Withdraw");
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    await page.getByText("This review was withdrawn. It can only be read.").waitFor();
    await page.locator("header strong + span time").waitFor();
    expect(await page.getByRole("form").count()).toBe(0);
    expect((await stored())?.status).toBe("withdrawn");
    const again = await ask();
    const theirs = await openSignedIn(await openBrowser(app), reviewer, path.replace(/rev_\w+/, again));
    await press(theirs, "Decline");
    await theirs.getByRole("dialog").getByText("It ends for you").waitFor();
    await expectAccessibleState(theirs);
    await theirs.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
    await theirs.getByRole("heading", { name: "Waiting for you" }).waitFor();
    await theirs.goto(path.replace(/rev_\w+/, again));
    await theirs.getByRole("heading", { name: "Estimation not found" }).waitFor();
  });
});
