import type { Locator, Route } from "playwright-core";
import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { hold, importAs, press } from "./actions.ts";
import { expectAccessible, expectAccessibleState, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

const OUTLINE = "# Shop\n\n- Payment (choose one)\n  - [x] Card: 8\n  - [ ] Invoice: 6\n";

test("an editor saves versions, restores one after reading what is lost, and works in a thread of its own", async () => {
  const [owner, reader] = [await app.signUp(), await app.signUp()];
  const id = await importAs(app, owner, OUTLINE);
  const path = `/api/estimations/${id}`;
  const send = async (method: string, below: string, body?: object) =>
    (await app.request(method, path + below, { token: owner.token, ...(body && { body }) })).data;
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}`);
  const dialog = page.getByRole("dialog");
  const row = (name: string) => page.getByRole("row", { name });
  const choose = async (version: number, item: string) => {
    // What was done is said before the dialog closes, and nothing behind it can have the focus.
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: `Actions for version ${version}` }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: item }).focus();
    await page.keyboard.press("Enter");
  };

  await page.getByRole("link", { name: "Versions" }).click();
  await page.getByRole("heading", { name: "No versions yet" }).waitFor();
  await expectAccessible(page);
  await press(page, "Save version");
  await dialog.getByLabel("Name").fill("Offer of June");
  await page.keyboard.press("Enter");
  await page.getByText("Saved as version 1.").waitFor();
  await row("Offer of June").getByText("latest").waitFor();
  // Nothing has changed: no second one.
  await press(page, "Save version");
  await page.keyboard.press("Enter");
  await page.getByText("Nothing has changed since version 1.").waitFor();

  const { tree } = await send("GET", "/tree");
  const [payment] = (tree?.nodes ?? []) as unknown as { readonly options: readonly { readonly selected: boolean }[] }[];
  const nodes = [{ ...payment, options: payment?.options.map((one) => ({ ...one, selected: !one.selected })) }];
  await send("PUT", "/tree", { nodes });
  await choose(1, "Restore");
  await dialog.getByText("2 changes since then will be undone: 6 h expected become 8 h.").waitFor();
  const listed = dialog.getByRole("list", { name: "Changes" }).getByRole("listitem");
  await listed.filter({ hasText: "~ changed Payment: Invoice · now chosen" }).waitFor();
  await listed.filter({ hasText: "~ changed Payment: Card · no longer chosen" }).waitFor();
  expect(await listed.count()).toBe(2);
  await expectAccessibleState(page);
  // Somebody changes it at the last moment: what the page has not shown is not restored over.
  const changeFirst = async (route: Route) => {
    await send("PATCH", "", { clientName: "Nordlicht" });
    await route.continue();
  };
  await page.route("**/restore", changeFirst, { times: 1 });
  await dialog.getByRole("button", { name: "Restore" }).click();
  // Then it says what would be lost now.
  await dialog.getByText("Someone else changed it in the meantime. You see it as it is now.").waitFor();
  await dialog.getByText("3 changes since then will be undone: 6 h expected become 8 h.").waitFor();
  await listed.filter({ hasText: "~ changed The estimation · Client" }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole("link", { name: "Compare" }).click();
  await row("Invoice").getByText("changed").waitFor();
  await page.goBack();
  await choose(1, "Restore");
  await dialog.getByText("3 changes since").waitFor();
  await dialog.getByRole("button", { name: "Restore" }).click();
  await page.getByText("Version 1 restored, as version 3.").waitFor();
  await row("Version 2").waitFor();
  expect((await send("GET", "")).estimation?.hours?.expected).toBe(8);

  await choose(2, "New thread");
  await dialog.getByLabel("Name").fill("Client B");
  await page.keyboard.press("Enter");
  await page.getByText("Switched to “Client B”.").waitFor();
  expect((await send("GET", "")).estimation?.hours?.expected).toBe(6);
  await page.getByRole("listitem").filter({ hasText: "Client B" }).getByText("current").waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Client B", exact: true }).click();
  await until(() => page.url().includes("thread="));
  await page.getByRole("button", { name: "All threads" }).click();
  await choose(1, "Name");
  await dialog.getByLabel("Name").fill("Offer of July");
  await page.keyboard.press("Enter");
  await row("Offer of July").waitFor();

  // Messages stand beside the thread that is worked on, about all of it or a part.
  const messages = page.getByRole("region", { name: "Messages in Client B" });
  await messages.getByText("No messages yet.").waitFor();
  await messages.getByLabel("Write a message").fill("Is an invoice enough?");
  await messages.getByRole("combobox", { name: "About" }).selectOption({ label: "Payment: Invoice" });
  await messages.getByLabel("Write a message").press("Control+Enter");
  await messages.getByRole("link", { name: "Payment: Invoice" }).waitFor();
  await messages.getByRole("button", { name: "Resolve" }).click();
  await messages.getByText(/^Resolved by/).waitFor();
  await messages.getByRole("button", { name: "Reopen" }).click();
  await messages.getByRole("button", { name: "Resolve" }).waitFor();
  await expectAccessibleState(page);
  // Beside the versions where there is room, else below them.
  const versions = page.getByRole("table", { name: "Versions" });
  for (const width of [1101, 1100]) {
    await page.setViewportSize({ width, height: 720 });
    const [list, beside] = [await versions.boundingBox(), await messages.boundingBox()];
    if (!list || !beside) throw new Error("something does not show");
    expect(beside.x >= list.x + list.width, `at ${width} px`).toBe(width === 1101);
    await expectAccessible(page, []);
  }
  await page.setViewportSize({ width: 1280, height: 720 });

  await page.getByRole("button", { name: "Actions for the thread Main" }).click();
  await page.getByRole("menuitem", { name: "Switch to it" }).click();
  await page.getByText("Switched to “Main”.").waitFor();
  await page.getByRole("button", { name: "Actions for the thread Client B" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete thread" }).click();
  await until(async () => (await page.getByRole("heading", { name: "Threads" }).count()) === 0);

  // A reader sees all of it and changes nothing.
  const { share } = await send("POST", "/shares", { email: reader.email, permission: "view" });
  await app.request("POST", `/api/shares/${share?.id}/accept`, { token: reader.token });
  const theirs = await openSignedIn(await openBrowser(app), reader, `/estimations/${id}/versions`);
  await theirs.getByRole("cell", { name: "Offer of July" }).waitFor();
  expect(await theirs.getByRole("button", { name: "Save version" }).count()).toBe(0);
  await theirs.getByRole("button", { name: "Actions for version 1" }).click();
  await theirs.getByRole("menuitem", { name: "What has changed since" }).waitFor();
  const items = await theirs.getByRole("menuitem").filter({ visible: true }).allInnerTexts();
  expect(items).toEqual(["What has changed since"]);
});

test("of more than twenty changes that a restore undoes, the first are listed and the others counted", async () => {
  const owner = await app.signUp();
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `  - Page ${at + 1}: 2\n`).join("");
  const id = await importAs(app, owner, "# Shop\n\n- Pages\n  - Start: 2\n");
  const path = `/api/estimations/${id}`;
  const send = async (method: string, below: string, body: object = {}) =>
    (await app.request(method, path + below, { token: owner.token, body })).data;
  await send("POST", "/versions");
  const other = await importAs(app, owner, `# Other\n\n- More pages\n${lines(20)}`);
  const { tree } = (await app.request("GET", `/api/estimations/${other}/tree`, { token: owner.token })).data;
  const strip = (key: string, value: unknown) => (key === "id" ? undefined : value);
  const own = (await app.request("GET", `${path}/tree`, { token: owner.token })).data.tree;
  const added = JSON.parse(JSON.stringify(tree?.nodes, strip)) as object[];
  await send("PUT", "/tree", { nodes: [...((own?.nodes ?? []) as object[]), ...added] });

  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/versions`);
  await page.getByRole("button", { name: "Actions for version 1" }).click();
  await page.getByRole("menuitem", { name: "Restore" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("21 changes since").waitFor();
  const listed = dialog.getByRole("list", { name: "Changes" }).getByRole("listitem");
  await listed.filter({ hasText: "and 1 more" }).waitFor();
  expect(await listed.count()).toBe(21);
  await expectAccessibleState(page);
});

test("the first version of a thread shows the change from the version that the thread began with", async () => {
  const owner = await app.signUp();
  const id = await importAs(app, owner, "# Shop\n\n- Scope\n  - Cart: 8\n");
  const send = async (method: string, below: string, body?: object) =>
    (await app.request(method, `/api/estimations/${id}${below}`, { token: owner.token, ...(body && { body }) })).data;
  const { version } = await send("POST", "/versions", { label: "Base" });
  const { thread } = await send("POST", "/threads", { title: "Small", baseVersionId: version?.id });
  await send("POST", `/threads/${thread?.id}/switch`);
  const [node] = ((await send("GET", "/tree")).tree?.nodes ?? []) as unknown as { options: object[] }[];
  await send("PUT", "/tree", { nodes: [{ ...node, options: [{ ...node?.options[0], hours: 5 }] }] });
  await send("POST", "/versions", { label: "Without guests" });
  // The version before is not on this page: only the thread's own show.
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/versions?thread=${thread?.id}`);
  const first = page.getByRole("row", { name: "Without guests" });
  await first.locator("[data-label=Change]").getByText("3").waitFor();
  expect((await first.locator("[data-label=Change]").innerText()).replace(/\s/g, "")).toContain("−3");
});

test("what was refused is no longer said once something else is asked for", async () => {
  const owner = await app.signUp();
  const id = await importAs(app, owner, OUTLINE);
  const send = async (method: string, below: string, body: object = {}) =>
    (await app.request(method, `/api/estimations/${id}${below}`, { token: owner.token, body })).data;
  const { version } = await send("POST", "/versions");
  const { thread } = await send("POST", "/threads", { title: "Client B", baseVersionId: version?.id });
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/versions`);
  await page.getByRole("button", { name: "Actions for the thread Client B" }).click();
  await send("PATCH", `/threads/${thread?.id}`, { status: "closed" });
  await page.getByRole("menuitem", { name: "Switch to it" }).click();
  await page.getByText("This thread was closed or merged.").waitFor();
  await page.getByRole("button", { name: "Save version" }).click();
  await page.getByRole("dialog").getByLabel("Name").waitFor();
  expect(await page.getByText("This thread was closed or merged.").count()).toBe(0);
});

test("a message that is not sent yet is kept by thread, also after a reload, and those of others come by themselves", async () => {
  const owner = await app.signUp();
  const id = await importAs(app, owner, OUTLINE);
  const send = async (below: string, body: object = {}) =>
    (await app.request("POST", `/api/estimations/${id}${below}`, { token: owner.token, body })).data;
  const { version } = await send("/versions");
  const { thread } = await send("/threads", { title: "Client B", baseVersionId: version?.id });

  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/versions`);
  const ofMain = page.getByRole("region", { name: "Messages in Main" });
  const ofClient = page.getByRole("region", { name: "Messages in Client B" });
  const typed = (region: Locator) => region.getByLabel("Write a message").inputValue();
  const about = (region: Locator) => region.getByRole("combobox", { name: "About" });
  await ofMain.getByLabel("Write a message").fill("Is an invoice enough?");
  await about(ofMain).selectOption({ label: "Payment: Invoice" });
  await page.getByRole("button", { name: "Client B", exact: true }).click();
  await ofClient.getByText("No messages yet.").waitFor();
  expect(await typed(ofClient)).toBe("");
  await ofClient.getByLabel("Write a message").fill("Who is it?");
  await page.getByRole("button", { name: "All threads" }).click();
  await ofMain.waitFor();
  expect(await typed(ofMain)).toBe("Is an invoice enough?");
  await page.reload();
  await ofMain.getByText("No messages yet.").waitFor();
  expect(await typed(ofMain)).toBe("Is an invoice enough?");
  await about(ofMain).locator("option:checked", { hasText: "Payment: Invoice" }).waitFor({ state: "attached" });
  await ofMain.getByLabel("Write a message").press("Control+Enter");
  await ofMain.getByRole("link", { name: "Payment: Invoice" }).waitFor();
  await until(async () => (await typed(ofMain)) === "");
  await page.clock.install();
  await page.reload();
  await ofMain.getByRole("link", { name: "Payment: Invoice" }).waitFor();
  expect(await typed(ofMain)).toBe("");
  expect(await about(ofMain).inputValue()).toBe("");
  await page.getByRole("button", { name: "Client B", exact: true }).click();
  await ofClient.getByText("No messages yet.").waitFor();
  expect(await typed(ofClient)).toBe("Who is it?");

  // Somebody else writes.
  await send(`/threads/${thread?.id}/messages`, { body: "Nordlicht." });
  await page.clock.fastForward("00:16");
  await ofClient.getByText("Nordlicht.").waitFor();
  expect(await typed(ofClient)).toBe("Who is it?");
});

test("a message is sent once and as it was typed, however long that takes", async () => {
  const owner = await app.signUp();
  const id = await importAs(app, owner, OUTLINE);
  await app.request("POST", `/api/estimations/${id}/versions`, { token: owner.token, body: {} });
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/versions`);
  const field = page.getByLabel("Write a message");
  await field.fill("Who is it?");
  const { requests, release } = await hold(page, /\/messages$/, "POST");
  await field.press("Control+Enter");
  await until(async () => requests.count === 1 && !(await field.isEditable()));
  await field.pressSequentially(" And why?");
  await field.press("Control+Enter");
  expect(await field.inputValue()).toBe("Who is it?");
  release();
  await page.getByRole("article").getByText("Who is it?", { exact: true }).waitFor();
  expect(requests.count).toBe(1);
  // The page may find the message by itself before the response to its request comes.
  await until(async () => (await field.inputValue()) === "");
});

test("of more than a hundred versions the older ones are compared too", async () => {
  const owner = await app.signUp();
  const id = await importAs(app, owner, OUTLINE);
  const path = `/api/estimations/${id}`;
  const { version } = (await app.request("POST", `${path}/versions`, { token: owner.token })).data;
  await app.pool.query(
    `insert into versions (id, estimation_id, number, thread_id, label, author_id, cause, parents, content_hash, hours, created_at)
     select left(id, 25) || to_char(n, 'fm00000'), estimation_id, n, thread_id, label, author_id, cause, parents, content_hash, hours, created_at
     from versions, generate_series(2, 102) n where id = $1`,
    [version?.id],
  );
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/compare?from=${version?.id}`);
  const from = page.getByRole("combobox", { name: "From" });
  const names = () => from.locator("option").allInnerTexts();
  await page.getByRole("columnheader", { name: "an older version" }).waitFor();
  expect(await names()).toEqual(["an older version", ...Array.from({ length: 100 }, (_, at) => `Version ${102 - at}`)]);
  await page.getByRole("button", { name: "Older versions" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("columnheader", { name: "Version 1", exact: true }).waitFor();
  expect((await names()).at(-1)).toBe("Version 1");
  expect(await page.getByRole("button", { name: "Older versions" }).count()).toBe(0);
  await from.selectOption({ label: "Version 2" });
  await page.getByRole("columnheader", { name: "Version 2", exact: true }).waitFor();
  await expectAccessible(page);
});

test("two versions are one tree with marks, a waterfall that adds up, columns beside each other, and a printed list", async () => {
  const owner = await app.signUp();
  const outline =
    "# Shop\n\n- Pages\n  - Cart: 4-8-12\n  - Search: 5\n- Payment (choose one)\n  - [x] Card: 8\n  - [ ] Invoice: 6\n";
  const id = await importAs(app, owner, outline);
  const send = async (method: string, below: string, body?: object) =>
    (await app.request(method, `/api/estimations/${id}${below}`, { token: owner.token, ...(body && { body }) })).data;
  const first = (await send("POST", "/versions", { label: "Offer" })).version?.id;
  const { tree } = await send("GET", "/tree");
  type Node = { readonly options: readonly object[] };
  const [pages, payment] = (tree?.nodes ?? []) as unknown as readonly [Node, Node];
  const points = { optimistic: 10, likely: 20, pessimistic: 60 };
  const support = { title: "Support", kind: "group", options: [{ title: "Hotline", hours: points }] };
  const changed = { ...pages, options: [{ ...pages.options[0], hours: points }] };
  await send("PUT", "/tree", { nodes: [payment, changed, support] });
  const second = (await send("POST", "/versions")).version;
  await send("PATCH", "", { correlation: 0.6 });

  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/versions`);
  await page.getByRole("button", { name: "Actions for version 1" }).click();
  await page.getByRole("menuitem", { name: "What has changed since" }).click();
  const row = (name: string) => page.getByRole("row", { name });
  await row("Search").getByText("removed").waitFor();
  await row("Hotline").getByText("added").waitFor();
  await row("Cart").getByText("changed").waitFor();
  await expectAccessible(page);
  // By keyboard: n and p step through the changes.
  const count = Number(/(\d+) lines? changed/.exec(await page.getByText(/^\d+ lines? changed$/).innerText())?.[1]);
  for (let at = 1; at <= count; at += 1) {
    await page.keyboard.press("n");
    await page.getByText(`${at} of ${count}`).waitFor();
  }
  await page.keyboard.press("p");
  await page.getByText(`${count - 1} of ${count}`).waitFor();
  // Every step of the waterfall is there, and they add up.
  await page.getByText("As a table").click();
  const writtenIn = async (column: number) => {
    const fall = page.getByRole("region", { name: "Where the difference comes from" });
    const texts = await fall.locator(`tbody tr td:nth-child(${column})`).allInnerTexts();
    return texts.map((text) => Number(text.replace(/[^\d.−]/g, "").replace("−", "-")));
  };
  type Hours = { readonly expected: number; readonly p80: number };
  const hoursOf = (of: unknown) => (of as { readonly hours: Hours }).hours;
  const before = hoursOf((await send("GET", `/versions/${first}`)).version);
  const now = hoursOf((await send("GET", "")).estimation);
  for (const [column, which] of [
    [2, "expected"],
    [3, "p80"],
  ] as const) {
    const written = await writtenIn(column);
    expect(written.length, which).toBe(2 + 3);
    const [from = 0, to = 0, steps] = [written[0], written.at(-1), written.slice(1, -1)];
    expect(
      steps.reduce((sum, hours) => sum + hours, from),
      which,
    ).toBeCloseTo(to, 5);
    expect(Math.max(Math.abs(from - before[which]), Math.abs(to - now[which])), which).toBeLessThan(0.06);
  }

  await page.getByRole("combobox", { name: "to", exact: true }).selectOption({ label: "Version 2" });
  await until(() => page.url().includes(`to=${second?.id}`));
  const beside = page.getByRole("region", { name: "Side by side" });
  await page.getByRole("combobox", { name: "Add a column" }).selectOption({ label: "Now" });
  await beside.getByRole("columnheader", { name: "Now" }).waitFor();
  await importAs(app, owner, "# Another shop\n\n- Scope: 40\n");
  await page.reload();
  await page.getByRole("combobox", { name: "Add a column" }).selectOption({ label: "Another shop" });
  await beside.getByRole("columnheader", { name: "Another shop" }).waitFor();
  const address = page.url();
  await page.reload();
  await beside.getByRole("columnheader", { name: "Now" }).waitFor();
  expect(page.url()).toBe(address);
  await page.emulateMedia({ media: "print" });
  await page.getByRole("table", { name: "All changes" }).getByText("Support: Hotline").waitFor();
  expect(await page.getByRole("treegrid").isVisible()).toBe(false);
  await page.emulateMedia({ media: null });
  await page.getByRole("combobox", { name: "to", exact: true }).focus();
  await page.goto(
    page.url().replace(String(second?.id), String(first)).replace(`from=${first}&`, `from=${second?.id}&`),
  );
  await row("Search").getByText("added").waitFor();
});
