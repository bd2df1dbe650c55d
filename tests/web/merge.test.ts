import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { start, type TestUser, until } from "../harness.ts";
import { importAs, keys, press, storedOutline } from "./actions.ts";
import { expectAccessible, expectAccessibleState, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

const OUTLINE = `# Shop

- Pages
  - Cart: 4-8-12
  - Search: 5
  - Account: 3
- Payment (choose one)
  - [x] Card: 8
  - [ ] Invoice: 6
- Delivery
  - Parcel: 4
- Returns
  - Label: 2
- Extras
  - Gift wrap: 2
  - Gift card: 3
`;

interface Thing {
  readonly id: string;
  readonly title: string;
}
type Node = Thing & { readonly options: readonly Thing[] };

/** An estimation whose threads Main, the current one, and Client B differ by every kind of conflict. */
async function makeClashingThreads(owner: TestUser) {
  const id = await importAs(app, owner, OUTLINE);
  const send = async (method: string, below: string, body?: object) => {
    const path = `/api/estimations/${id}${below}`;
    const { status, data, text } = await app.request(method, path, { token: owner.token, ...(body && { body }) });
    if (status >= 300) throw new Error(`${method} ${below} returned ${status}: ${text}`);
    return data;
  };
  const nodes = (await send("GET", "/tree")).tree?.nodes as unknown as readonly Node[];
  const ids = new Map(nodes.flatMap((node) => [node, ...node.options]).map((one) => [one.title, one.id]));
  const edit = (title: string, body: object) => send("PATCH", `/tree/options/${ids.get(title)}`, body);
  const points = (hours: number) => ({ optimistic: hours, likely: hours, pessimistic: hours });
  const moveNode = (node: string, below: string) =>
    send("POST", `/tree/nodes/${ids.get(node)}/move`, { parentOptionId: ids.get(below) });
  const moveOption = (option: string, to: string) =>
    send("POST", `/tree/options/${ids.get(option)}/move`, { nodeId: ids.get(to) });

  const { version } = await send("POST", "/versions");
  const { thread } = await send("POST", "/threads", { title: "Client B", baseVersionId: version?.id });
  await edit("Cart", { hours: points(20) });
  await send("DELETE", `/tree/options/${ids.get("Search")}`);
  await moveOption("Account", "Extras");
  await moveNode("Returns", "Parcel");
  await edit("Gift wrap", { requires: [ids.get("Gift card")] });
  await send("POST", `/threads/${thread?.id}/switch`);
  await edit("Cart", { hours: points(40) });
  await edit("Search", { hours: points(50) });
  await moveOption("Account", "Payment");
  await moveNode("Delivery", "Label");
  await edit("Gift card", { requires: [ids.get("Gift wrap")] });
  await send("POST", "/versions");
  const threads = async () => (await send("GET", "/threads")).threads as unknown as readonly Thing[];
  const main = String((await threads())[0]?.id);
  await send("POST", `/threads/${main}/switch`);
  return { id, send, edit, main, clientB: String(thread?.id), ids };
}

/** What a conflict says, with the value of each side. */
interface Said {
  readonly kind: string;
  readonly about: string;
  readonly main: string;
  readonly theirs: string;
}

const CONFLICTS: readonly Said[] = [
  { kind: "Changed on both sides", about: "Pages: Cart · Hours", main: "20", theirs: "40" },
  {
    kind: "Removed on one side, changed on the other",
    about: "Pages: Search",
    main: "Removed",
    theirs: "Kept, with Hours: 5 → 50",
  },
  { kind: "Moved to two places", about: "Extras: Account · Place", main: "below “Extras”", theirs: "below “Payment”" },
  {
    kind: "Both moves together would put it below itself",
    about: "Delivery · Place",
    main: "“Delivery” at the top; “Returns” below “Delivery: Parcel”",
    theirs: "“Delivery” below “Returns: Label”; “Returns” at the top",
  },
  {
    kind: "Both changes together don’t go: options would require each other in a circle",
    about: "Extras: Gift wrap · Needs",
    main: "“Extras: Gift wrap” needs Extras: Gift card",
    theirs: "“Extras: Gift card” needs Extras: Gift wrap",
  },
];

/** Decides every conflict that the dialog asks about, by `choose`, for the side that `sideOf` names. */
async function decideAll(
  page: Page,
  choose: (side: "Main" | "Client B") => Promise<void>,
  sideOf: (said: Said) => "Main" | "Client B",
) {
  const dialog = page.getByRole("dialog");
  const left = new Set(CONFLICTS);
  for (let at = 1; left.size > 0; at += 1) {
    await dialog.getByText(new RegExp(`^Decision ${at} of \\d$`)).waitFor();
    // The place of what it is about is there once the trees are loaded.
    const said = await until(async () => {
      const about = (await dialog.locator("legend").innerText()).replace(/\s+/g, " ");
      return [...left].find((one) => one.about === about);
    });
    left.delete(said);
    await dialog.getByText(said.kind).waitFor();
    await dialog.locator("label", { hasText: "Main:" }).getByText(said.main).waitFor();
    await dialog.locator("label", { hasText: "Client B:" }).getByText(said.theirs).waitFor();
    // What each choice makes of the whole.
    for (const side of ["Main:", "Client B:"])
      await dialog
        .locator("label", { hasText: side })
        .getByText(/P80 [\d.]+ h/)
        .waitFor();
    // Taking the longer hours instead of 20 is more work than there was.
    if (said.main === "20")
      await dialog
        .locator("label", { hasText: "Client B: 40" })
        .getByText(/^▲ \+\d/)
        .waitFor();
    await expectAccessible(page);
    await choose(sideOf(said));
  }
}

test("a merge with every kind of conflict is decided by the keyboard alone, undone, and decided again with the mouse", async () => {
  const owner = await app.signUp();
  const { id, send, edit, ids } = await makeClashingThreads(owner);
  const before = await storedOutline(app, owner, id);
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/versions`);
  const dialog = page.getByRole("dialog");

  await page.getByRole("button", { name: "Actions for the thread Client B" }).focus();
  await keys(page, "Enter");
  await page.getByRole("menuitem", { name: "Merge" }).focus();
  await keys(page, "Enter");
  const withKeys = async (side: "Main" | "Client B") => {
    // The first choice has the focus.
    await until(() => page.evaluate("document.activeElement?.type === 'radio'"));
    await keys(page, "Space");
    if (side === "Client B") await keys(page, "ArrowDown");
    await until(() => dialog.getByRole("radio", { name: side }).isChecked());
    // What it does to the tree shows before it is decided.
    await dialog.getByRole("treegrid").getByRole("row").nth(1).waitFor();
    await keys(page, "Enter");
  };
  await decideAll(page, withKeys, () => "Client B");
  // One for each thing that Client B changed, added or moved, on the line that it is about.
  await dialog.getByText("7 changes will be made in “Main”.").waitFor();
  // The same tree with marks as in a comparison, with the values of a change below its line.
  const merged = dialog.getByRole("treegrid", { name: "Questions and options" });
  const row = (name: RegExp) => merged.getByRole("row", { name });
  await row(/Search/)
    .filter({ hasText: "added" })
    .waitFor();
  await row(/Cart/).filter({ hasText: "changed" }).waitFor();
  await dialog.getByText("7 lines changed").waitFor();
  expect(await row(/added|changed|moved/).count()).toBe(7);
  expect(await row(/Card/).count()).toBe(0);
  await expectAccessibleState(page);
  await until(() => page.evaluate("document.activeElement?.innerText === 'Merge'"));
  await keys(page, "n");
  await until(() => page.evaluate("document.activeElement.dataset.row !== undefined"));
  await keys(page, "Home", "ArrowDown");
  await merged.getByRole("list", { name: "What changed" }).getByText("20", { exact: true }).waitFor();
  await merged.getByRole("list", { name: "What changed" }).getByText("40", { exact: true }).waitFor();
  await expectAccessibleState(page);
  await dialog.getByText("Changes only").click();
  await row(/Card/).waitFor();
  await dialog.getByRole("button", { name: "Merge" }).focus();
  // Nothing is stored before; the button has the focus.
  expect(await storedOutline(app, owner, id)).toBe(before);
  await until(() => page.evaluate("document.activeElement?.innerText === 'Merge'"));
  await keys(page, "Enter");
  await page.getByText("“Client B” merged into “Main”.").waitFor();
  const theirs = await storedOutline(app, owner, id);
  for (const part of ["Cart: 40", "Search: 50", "Account: 3"]) expect(theirs).toContain(part);
  const item = page.getByRole("listitem").filter({ hasText: "Client B" });
  await item.getByText("Merged").waitFor();

  await page.getByRole("button", { name: "Undo" }).focus();
  await until(() => page.evaluate("document.activeElement?.innerText === 'Undo'"));
  await keys(page, "Enter");
  await page.getByText("Merge undone. “Client B” is open again.").waitFor();
  expect(await storedOutline(app, owner, id)).toBe(before);
  await until(async () => (await item.getByText("Merged").count()) === 0);

  // The same again, the other way.
  await page.getByRole("button", { name: "Actions for the thread Client B" }).click();
  await page.getByRole("menuitem", { name: "Merge" }).click();
  const withMouse = async (side: "Main" | "Client B") => {
    await dialog.locator("label", { hasText: `${side}:` }).click();
    await dialog.getByRole("button", { name: "Next", exact: true }).click();
  };
  const decide = (said: Said) => (said.about.startsWith("Pages: Cart") ? "Client B" : "Main") as "Main" | "Client B";
  await decideAll(page, withMouse, decide);
  // The last one is taken back and decided again.
  await dialog.getByRole("button", { name: "Back" }).click();
  await dialog.getByText("Decision 5 of 5").waitFor();
  await withMouse("Main");
  await dialog.getByRole("button", { name: "Merge" }).click();
  await page.getByText("“Client B” merged into “Main”.").waitFor();
  expect(await storedOutline(app, owner, id)).toBe(before.replace(/Cart: 20/, "Cart: 40"));
  const { tree } = await send("GET", "/tree");
  // After a reload, and with content that is in no version, the merge can still be undone: at its version.
  await edit("Parcel", { title: "Courier" });
  await page.reload();
  const undoable = page.getByRole("row").filter({ hasText: "Merged" }).filter({ hasText: "latest" });
  await undoable.getByRole("button", { name: /^Actions for version/ }).click();
  await page.getByRole("menuitem", { name: "Undo this merge…" }).click();
  await dialog.getByText("“Main” is again as it was before").waitFor();
  await expectAccessibleState(page);
  await dialog.getByRole("button", { name: "Undo merge" }).click();
  await page.getByText(/^Merge undone. “Client B” is open again. What you left is kept as version \d+\.$/).waitFor();
  expect(await storedOutline(app, owner, id)).toBe(before);
  // No other version offers it, that of the first merge neither.
  for (const button of await page.getByRole("button", { name: /^Actions for version/ }).all()) {
    await button.click();
    await page.getByRole("menuitem", { name: "What has changed since" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Undo this merge…" }).count()).toBe(0);
    await page.keyboard.press("Escape");
  }
  expect(JSON.stringify(tree)).toContain(`"requires":["${ids.get("Gift card")}"]`);
});

test("a merge that is refused, because somebody else did something meanwhile, says so and shows what there is now", async () => {
  const owner = await app.signUp();
  const { id, send, edit, main, clientB } = await makeClashingThreads(owner);
  // A third thread goes on where Client B is, and is merged into it at the last moment.
  const head = (await send("GET", `/threads/${clientB}`)).thread?.headVersionId;
  const { thread } = await send("POST", "/threads", { title: "Client C", baseVersionId: head });
  await send("POST", `/threads/${thread?.id}/switch`);
  await edit("Cart", { hours: { optimistic: 44, likely: 44, pessimistic: 44 } });
  await send("POST", "/versions");
  await send("POST", `/threads/${main}/switch`);

  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/versions`);
  const dialog = page.getByRole("dialog");
  const ask = async (title: string, target: string) => {
    await page.getByRole("button", { name: `Actions for the thread ${title}` }).click();
    await page.getByRole("menuitem", { name: "Merge" }).click();
    await dialog.getByRole("combobox", { name: "Into" }).selectOption({ label: target });
  };
  /** Does something between the click on "Merge" and its request. */
  const first = async (act: () => Promise<unknown>) => {
    const doFirst = async (route: Route) => {
      await act();
      await route.continue();
    };
    await page.route("**/merge", doFirst, { times: 1 });
    await dialog.getByRole("button", { name: "Merge" }).click();
  };

  // The thread that would get the changes is closed.
  await ask("Client C", "Client B");
  await dialog.getByText("1 change will be made in “Client B”.").waitFor();
  await first(() => send("PATCH", `/threads/${clientB}`, { status: "closed" }));
  await dialog.getByText("This thread was closed or merged. You see it as it is now.").waitFor();
  await expectAccessibleState(page);
  await dialog.getByRole("combobox", { name: "Into" }).selectOption({ label: "Main" });
  await dialog.getByText(/^Decision 1 of/).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await send("PATCH", `/threads/${clientB}`, { status: "open" });
  await page.reload();

  // The thread that is merged gets another version.
  await ask("Client B", "Main");
  const decide = async () => {
    await dialog.locator("label", { hasText: "Main:" }).click();
    await dialog.getByRole("button", { name: "Next", exact: true }).click();
  };
  const decideRest = async () => {
    const done = dialog.getByText("will be made in “Main”").or(dialog.getByText("already has all of it"));
    for (;;) {
      await dialog
        .getByText(/^Decision/)
        .or(done)
        .first()
        .waitFor();
      if ((await done.count()) > 0) return;
      const step = await dialog.getByText(/^Decision/).innerText();
      await decide();
      await until(
        async () => (await done.count()) > 0 || (await dialog.getByText(step, { exact: true }).count()) === 0,
      );
    }
  };
  // Something to merge: one conflict is decided for the other side.
  await dialog.locator("label", { hasText: "Client B:" }).click();
  await dialog.getByRole("button", { name: "Next", exact: true }).click();
  await decideRest();
  await first(() => send("POST", `/threads/${thread?.id}/merge`, { into: clientB }));
  await dialog.getByText("Someone else saved a version in the meantime. You see it as it is now.").waitFor();
  // The decision about the hours was about other values: only that one is asked for again.
  await dialog.locator("label", { hasText: "Client B: 44" }).click();
  await expectAccessibleState(page);
  await dialog.getByRole("button", { name: "Next", exact: true }).click();
  await decideRest();

  expect(await dialog.getByText("You see it as it is now.").count()).toBe(0);
  await dialog.getByRole("button", { name: "Merge" }).click();
  await page.getByText("“Client B” merged into “Main”.").waitFor();
  expect(await storedOutline(app, owner, id)).toContain("Cart: 44");
  await press(page, "Undo");
  await page.getByText("Merge undone. “Client B” is open again.").waitFor();
});
