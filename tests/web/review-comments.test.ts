import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { hold, keys, press } from "./actions.ts";
import { expectAccessibleState, openBrowser, openSignedIn, signIn } from "./browser.ts";
import { tabTo } from "./keyboard.ts";
import { line, type NodeJson, setReviewScene } from "./review-scene.ts";

const app = await start({ pages: true });
const setScene = () => setReviewScene(app);

/** Sends what is in a field by keys, which takes long, and meanwhile types and sends again, which does nothing. */
async function sendSlowly(page: Page, field: Locator, path: RegExp, method = "POST") {
  const { requests, release } = await hold(page, path, method);
  const text = await field.inputValue();
  await field.press("Control+Enter");
  await until(async () => requests.count === 1 && !(await field.isEditable()));
  await field.pressSequentially(" and more");
  await field.press("Control+Enter");
  expect(await field.inputValue()).toBe(text);
  release();
  // Not the field, which says the same.
  await page.getByRole("article").locator("p").getByText(text, { exact: true }).waitFor();
  expect(requests.count).toBe(1);
  await page.unroute(path);
}

describe("a comment on a review", () => {
  test("is sent once and as it was typed, however long that takes; so are a reply and an edit", async () => {
    const { reviewer, path, send, review } = await setScene();
    const page = await openSignedIn(await openBrowser(app), reviewer, path);
    const field = page.getByRole("textbox", { name: "Leave a comment" });
    await field.fill("Guests?");
    await sendSlowly(page, field, /\/comments$/);
    // The page may find the comment by itself before the response to its request comes.
    await until(async () => (await field.inputValue()) === "");
    await press(page, "Reply");
    const reply = page.getByRole("textbox", { name: "Reply to Rita Reviewer" });
    await reply.fill("Yes, guests.");
    await sendSlowly(page, reply, /\/comments$/);
    await page.getByRole("button", { name: "Actions for your comment" }).first().click();
    await page.getByRole("menuitem", { name: "Edit" }).first().click();
    const edit = page.getByRole("textbox", { name: "Edit" });
    await edit.fill("Guests, too?");
    await sendSlowly(page, edit, /\/comments\/[^/]+$/, "PATCH");
    const { comments } = await send(reviewer, "GET", `/reviews/${review}/comments`);
    expect((comments as unknown as { body: string }[]).map(({ body }) => body)).toEqual([
      "Guests, too?",
      "Yes, guests.",
    ]);
  });

  test("that is being edited is kept on Escape and after a reload, and forgotten on Cancel", async () => {
    const { reviewer, path, send, review } = await setScene();
    await send(reviewer, "POST", `/reviews/${review}/comments`, { body: "Guests?" });
    const page = await openSignedIn(await openBrowser(app), reviewer, path);
    const edit = page.getByRole("textbox", { name: "Edit" });
    const begin = async () => {
      await press(page, "Actions for your comment");
      await page.getByRole("menuitem", { name: "Edit" }).click();
    };
    await begin();
    await edit.fill("Guests and hosts?");
    await edit.press("Escape");
    await until(async () => (await edit.count()) === 0);
    await until(async () => (await page.evaluate<string>("document.activeElement.innerText")).includes("Guests?"));
    await begin();
    expect(await edit.inputValue()).toBe("Guests and hosts?");
    await page.reload();
    await edit.waitFor();
    expect(await edit.inputValue()).toBe("Guests and hosts?");
    await press(page, "Cancel");
    await begin();
    expect(await edit.inputValue()).toBe("Guests?");
    // What was not changed is nothing to keep.
    await edit.press("Escape");
    await page.reload();
    await page.getByRole("article").getByText("Guests?").waitFor();
    expect(await edit.count()).toBe(0);
  });

  test("about a line that is not there any more is not sent as one about everything", async () => {
    const { owner, reviewer, path, send, review, ask, nodes } = await setScene();
    const [payment] = await nodes();
    const page = await openSignedIn(await openBrowser(app), reviewer, path);
    await line(page, /Cart/).click();
    await press(page, "Comment on this line");
    await page.keyboard.type("Guests?");
    await send(owner, "PUT", "/tree", { nodes: [payment] });
    await ask();
    await page.reload();
    await page.getByRole("heading", { name: "Review of version 2" }).waitFor();
    const bar = page.getByRole("form", { name: "Your verdict" });
    await bar.getByText("On a line that isn’t here any more").waitFor();
    const button = bar.getByRole("button", { name: "Comment", exact: true });
    expect(await button.isDisabled()).toBe(true);
    await expectAccessibleState(page);
    await press(page, "Comment on the whole estimation instead");
    await button.click();
    await page.getByRole("article").getByText("Guests?").waitFor();
    const { comments } = await send(owner, "GET", `/reviews/${review}/comments`);
    expect(comments).toEqual([expect.objectContaining({ body: "Guests?", optionId: null, nodeId: null })]);
  });

  test("keeps what was typed and not sent, edits and deletes own comments, and follows links to lines and comments", async () => {
    const { owner, reviewer, path, send, review, nodes } = await setScene();
    const option = (await nodes())[1]?.options[1]?.id as string;
    const said = await send(owner, "POST", `/reviews/${review}/comments`, { body: `See #${option}` });
    const page = await openSignedIn(await openBrowser(app), reviewer, `${path}#${option}`);
    await until(async () => (await page.evaluate<string>("document.activeElement.innerText")).includes("List"));
    await page.goto(`${path}#${said.comment?.id}`);
    await page.getByRole("article").getByRole("link", { name: "Screens: List" }).click();
    await page.getByRole("region", { name: "Selected line" }).getByRole("heading", { name: "Screens: List" }).waitFor();
    const field = page.getByRole("textbox", { name: "Leave a comment" });
    await page.keyboard.press("c");
    await field.fill("Not sent yet");
    await page.reload();
    await until(async () => (await field.inputValue()) === "Not sent yet");
    await page.getByRole("form", { name: "Your verdict" }).getByText("Screens: List").waitFor();
    await page.getByText("Request changes").click();
    await page.reload();
    const required = page.getByRole("textbox", { name: "What has to change?" });
    await until(async () => (await required.inputValue()) === "Not sent yet");
    await page.getByRole("radio", { name: "Comment" }).check();
    await field.press("Control+Enter");
    const own = page.getByRole("article", { name: "Comment of Rita Reviewer" });
    await own.getByText("Not sent yet").waitFor();
    await until(async () => (await field.inputValue()) === "");
    await own.getByRole("button", { name: "Actions for your comment" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await own.getByRole("textbox", { name: "Edit" }).fill("Sent");
    await press(page, "Save");
    await own.getByText("Sent", { exact: true }).waitFor();
    await own.getByText("edited").waitFor();
    await own.getByRole("button", { name: "Actions for your comment" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByText("Delete this comment?").waitFor();
    await expectAccessibleState(page);
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await until(async () => (await own.count()) === 0);
    expect(await page.getByRole("article").count()).toBe(1);
  });

  test("keeps a reply that is being written while another version loads, and after a reload", async () => {
    const { owner, reviewer, path, send, review, ask, nodes } = await setScene();
    await send(owner, "POST", `/reviews/${review}/comments`, { body: "Is it enough?" });
    await send(reviewer, "POST", `/reviews/${review}/request-changes`);
    await send(owner, "PUT", "/tree", { nodes: (await nodes()).slice(0, 1) });
    await ask();
    const page = await openSignedIn(await openBrowser(app), reviewer, path);
    await line(page, /Screens/).waitFor();
    await press(page, "Reply");
    const reply = page.getByRole("textbox", { name: "Reply to Olga Owner" });
    await reply.waitFor();
    await page.keyboard.type("It is");
    // Held back until it was seen that the reply is still there.
    let release = (): void => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route("**/versions/*", async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest("**/versions/*");
    await send(owner, "PUT", "/tree", { nodes: [] });
    await ask();
    await page.getByText("You were asked again: this is version 3 now.").waitFor();
    await asked;
    expect(await reply.inputValue()).toBe("It is");
    release();
    await line(page, /Payment/)
      .getByText("removed")
      .waitFor();
    expect(await reply.inputValue()).toBe("It is");
    // What is typed elsewhere stays there: an open reply takes the focus only once.
    const verdict = page.getByRole("textbox", { name: "Leave a comment" });
    await verdict.click();
    await page.keyboard.type("Fine");
    expect(await verdict.inputValue()).toBe("Fine");
    await page.reload();
    await reply.waitFor();
    expect(await reply.inputValue()).toBe("It is");
    await reply.press("Control+Enter");
    await page.getByRole("article").getByText("It is", { exact: true }).waitFor();
    await until(async () => (await reply.count()) === 0);
  });

  test("shows what was typed and not sent to nobody else who signs in in the same tab", async () => {
    const { owner, reviewer, path, send, review } = await setScene();
    await send(owner, "POST", `/reviews/${review}/comments`, { body: "Is it enough?" });
    const page = await (await openBrowser(app)).newPage();
    await page.goto(path);
    await signIn(page, reviewer);
    const field = page.getByRole("textbox", { name: "Leave a comment" });
    await field.fill("Olga counts too little");
    await press(page, "Reply");
    await page.getByRole("textbox", { name: "Reply to Olga Owner" }).fill("It is not");
    const kept = () => page.evaluate<string>("JSON.stringify(Object.entries(sessionStorage))");
    expect(await kept()).toContain("Olga counts too little");
    expect(await kept()).toContain("It is not");
    // Who has only been away finds it again.
    await app.clock.advance(3_700_000);
    // The page looks for news every few seconds, and then asks to sign in again.
    await page.getByText("Your session has ended").waitFor();
    await signIn(page, reviewer);
    await page.getByRole("button", { name: "Account of Rita Reviewer" }).waitFor();
    await page.goto(path);
    await until(async () => (await field.inputValue()) === "Olga counts too little");
    await press(page, "Account of Rita Reviewer");
    await page.getByRole("menuitem", { name: /^Sign out/ }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await kept()).not.toContain("Olga counts too little");
    expect(await kept()).not.toContain("It is not");
    await signIn(page, owner);
    await page.getByRole("button", { name: "Account of Olga Owner" }).waitFor();
    await page.goto(path);
    await page.getByRole("article").getByText("Is it enough?").waitFor();
    expect(await field.inputValue()).toBe("");
    expect(await page.getByRole("textbox", { name: "Reply to Olga Owner" }).count()).toBe(0);
  });

  test("keeps the line that a comment is about, whatever the verdict", async () => {
    const { owner, reviewer, path, send, review, stored, nodes } = await setScene();
    const optionId = (await nodes())[1]?.options[0]?.id;
    const page = await openSignedIn(await openBrowser(app), reviewer, path);
    await line(page, /Cart/).click();
    await press(page, "Comment on this line");
    await page.keyboard.type("Guests are missing.");
    await page.getByText("Request changes").click();
    const bar = page.getByRole("form", { name: "Your verdict" });
    await bar.getByText("Screens: Cart").waitFor();
    // The verdict arrives and the comment does not: both can be sent again.
    await page.route(
      "**/comments",
      (route) => (route.request().method() === "POST" ? route.abort() : route.continue()),
      {
        times: 1,
      },
    );
    await page.keyboard.press("Control+Enter");
    await bar.getByRole("alert").waitFor();
    expect((await stored())?.status).toBe("changes_requested");
    await bar.getByRole("button", { name: "Request changes" }).click();
    await page.getByText("Changes requested.", { exact: true }).waitFor();
    const said = expect.objectContaining({ body: "Guests are missing.", optionId });
    expect((await send(owner, "GET", `/reviews/${review}/comments`)).comments).toEqual([said]);
    // Without a line, the text is that of the verdict.
    await page.getByText("Approve", { exact: true }).click();
    await bar.getByRole("textbox").fill("Fine now.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Approved.", { exact: true }).waitFor();
    expect((await send(owner, "GET", `/reviews/${review}/comments`)).comments).toEqual([
      said,
      expect.objectContaining({ body: "Fine now.", optionId: null, verdict: "approved" }),
    ]);
  });

  test("takes comments on lines that were removed since the verdict before, and offers none on others that are gone", async () => {
    const { owner, reviewer, path, send, review, ask, nodes } = await setScene();
    const [payment, screens] = (await nodes()) as [NodeJson, NodeJson];
    await send(owner, "POST", "/versions");
    await send(owner, "PUT", "/tree", { nodes: [payment, { ...screens, options: screens.options.slice(0, 1) }] });
    await ask();
    await send(reviewer, "POST", `/reviews/${review}/approve`);
    await send(owner, "PUT", "/tree", { nodes: [payment] });
    await ask();
    const page = await openSignedIn(await openBrowser(app), reviewer, path);
    await line(page, /Cart/).getByText("removed").waitFor();
    await line(page, /Cart/).click();
    await page.keyboard.press("c");
    await page.keyboard.type("Why not?");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("article").getByText("Why not?").waitFor();
    const { comments } = await send(owner, "GET", `/reviews/${review}/comments`);
    expect(comments).toEqual([expect.objectContaining({ body: "Why not?", optionId: screens.options[0]?.id })]);
    const offer = page.getByRole("button", { name: "Comment on this line" });
    await offer.waitFor();
    await page.getByLabel("Compare with").selectOption({ label: "Version 1" });
    await line(page, /List/).click();
    await page.getByRole("region", { name: "Selected line" }).getByRole("heading", { name: "Screens: List" }).waitFor();
    expect(await offer.count()).toBe(0);
    await keys(page, "c", "Enter");
    expect(await page.evaluate("document.activeElement.innerText")).toContain("List");
    await line(page, /Card/).click();
    await offer.waitFor();
  });

  test("leads from a line to its comments and back by keyboard; Escape keeps the reply that was begun", async () => {
    const { owner, reviewer, path, send, review, nodes } = await setScene();
    const optionId = (await nodes())[1]?.options[1]?.id;
    await send(owner, "POST", `/reviews/${review}/comments`, { body: "Is it enough?", optionId });
    const page = await openSignedIn(await openBrowser(app), reviewer, `${path}#${optionId}`);
    const focused = () => page.evaluate<string>("document.activeElement.innerText");
    await until(async () => (await focused()).includes("List"));
    await page.keyboard.press("Enter");
    await until(async () => (await focused()).includes("Is it enough?"));
    await tabTo(page, "Reply");
    await page.keyboard.press("Enter");
    await page.keyboard.type("It is");
    await page.keyboard.press("Escape");
    await until(async () => (await page.getByRole("textbox", { name: "Reply to Olga Owner" }).count()) === 0);
    await until(async () => (await focused()).includes("Is it enough?"));
    await tabTo(page, "Reply");
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.type(" enough.");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("article").getByText("It is enough.", { exact: true }).waitFor();
  });

  test("goes from one open comment to the next in the order of the tree, and shows what was closed above it", async () => {
    const { owner, reviewer, path, send, review, nodes } = await setScene();
    const [payment, screens] = (await nodes()) as [NodeJson, NodeJson];
    const comments = `/reviews/${review}/comments`;
    await send(owner, "POST", comments, { body: "Last in the tree", optionId: screens.options[1]?.id });
    await send(owner, "POST", comments, { body: "First in the tree", optionId: payment.options[1]?.id });
    await send(owner, "POST", comments, { body: "About all of it" });
    const settled = await send(owner, "POST", comments, { body: "Settled", optionId: screens.options[0]?.id });
    await send(owner, "PATCH", `${comments}/${settled.comment?.id}`, { resolved: true });
    const page = await openSignedIn(await openBrowser(app), reviewer, path);
    await page.getByText("About all of it").waitFor();
    await line(page, /Screens/).click();
    await keys(page, "ArrowLeft", "Home");
    await until(async () => (await line(page, /List/).count()) === 0);
    const focused = () => page.evaluate<string>("document.activeElement.innerText");
    await page.keyboard.press("o");
    await until(async () => (await focused()).includes("First in the tree"));
    await page.keyboard.press("o");
    await until(async () => (await focused()).includes("Last in the tree"));
    await line(page, /List/).waitFor();
    await page.getByRole("button", { name: "Next open comment on a line (o)" }).click();
    await until(async () => (await focused()).includes("First in the tree"));
  });
});
