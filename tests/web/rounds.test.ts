import { expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { start, until } from "../harness.ts";
import { keys, press, saved, storedOutline } from "./actions.ts";
import { expectAccessible, expectAccessibleState, openBrowser, withoutStream } from "./browser.ts";
import { answer, hours, rangeOf, setRoundScene } from "./round-scene.ts";

const app = await start({ pages: true, worker: true, config: { invitationsPerHour: 1_000 } });

const option = (name: string) => ({ name });

/** Keeps everything that a page shows. */
const WATCH_TEXTS = `{
  window.texts = [];
  new MutationObserver(() => texts.push(document.querySelector("main").innerText))
    .observe(document.body, { subtree: true, childList: true, characterData: true });
}`;

/** Keeps who a page says is here. */
const WATCH_HERE = `{
  window.here = [];
  new MutationObserver(() => {
    for (const one of document.querySelectorAll("[role=img][aria-label^='Also here']")) here.push(one.getAttribute("aria-label"));
  }).observe(document.body, { subtree: true, childList: true });
}`;

test("three people estimate together: asked, answered by keys, one skips, revealed by the last, adopted, undone, again", async () => {
  const { owner, people, id, open, send } = await setRoundScene(app);
  const [ana, ben] = people;
  if (!ana || !ben) throw new Error("nobody");
  const olgas = await open(owner);
  await olgas.getByRole("row", { name: "Card" }).waitFor();
  await press(olgas, "More");
  await olgas.getByRole("menuitem", { name: "Estimate together…" }).click();
  const dialog = olgas.getByRole("dialog", { name: "Estimate together" });
  // Those that make the total most uncertain are chosen.
  await dialog.getByText("2 options chosen").waitFor();
  await dialog.getByRole("checkbox", { name: /^Card/ }).waitFor();
  expect(await dialog.getByRole("checkbox", { name: /^Invoice/ }).isChecked()).toBe(false);
  await dialog.getByRole("button", { name: "All", exact: true }).click();
  await dialog.getByText("4 options chosen").waitFor();
  const someone = dialog.getByLabel("Someone else");
  await someone.fill(ana.email);
  await olgas.keyboard.press("Enter");
  await dialog.getByText(ana.email).waitFor();
  // Written and not added is asked too.
  await someone.fill(ben.email);
  await expectAccessibleState(olgas);
  await dialog.getByRole("button", { name: "Ask 2 people" }).click();
  await olgas.getByRole("heading", { name: "Round 1" }).waitFor();
  await olgas.getByRole("heading", { name: "People are estimating" }).waitFor();
  await olgas.getByText("0 of 2 people answered").first().waitFor();
  await expectAccessibleState(olgas);
  const path = new URL(olgas.url()).pathname.replace(`/estimations/${id}`, "");

  // Ana types, cannot judge one, and says why.
  const anas = await open(ana, path);
  await answer(anas, "Card", "4-16-34");
  await answer(anas, "Invoice", "?");
  await rangeOf(anas, "Cart").waitFor();
  await expectAccessibleState(anas);
  await anas.keyboard.type("8-12-30");
  await keys(anas, "Tab");
  await anas.keyboard.type("Without guests");
  await keys(anas, "Control+Enter");
  await answer(anas, "List", "3-5-8");
  await anas.getByRole("heading", { name: "You’re done" }).waitFor();
  await anas.getByText("1 of 2 people answered.").waitFor();
  await expectAccessibleState(anas);
  // The owner learns how many, and nothing else.
  await olgas.getByText("1 of 2 people answered").first().waitFor();
  expect(await olgas.getByText("8–12–30").count()).toBe(0);

  // Ben loses the connection in between.
  const browser = await openBrowser(app);
  const bens = await open(ben, path, browser);
  await answer(bens, "Card", "40-60-90");
  await rangeOf(bens, "Invoice").waitFor();
  await until(async () => JSON.stringify((await send(ben, "GET", path)).round?.you) === '{"answered":1,"remaining":3}');
  await browser.setOffline(true);
  await answer(bens, "Invoice", "2-4-6");
  await bens.getByText("No connection. Your estimates are kept in this browser and sent later.").waitFor();
  await answer(bens, "Cart", "8-12-30");
  await bens.getByRole("row", { name: /Cart/ }).getByText("not sent yet").waitFor();
  await browser.setOffline(false);
  await bens.getByText("No connection.").waitFor({ state: "detached" });
  await answer(bens, "List", "10-20-30");

  // The last answer reveals it, everywhere and without a reload.
  for (const page of [olgas, anas, bens]) await page.getByText("Least agreement first.").waitFor();
  const shown = await olgas.getByRole("article").allInnerTexts();
  expect(shown.map((text) => /Card|Invoice|Cart|List/.exec(text)?.[0])).toEqual(["Card", "List", "Cart", "Invoice"]);
  const card = olgas.getByRole("article", option("Card"));
  await card.getByText("agreement 0", { exact: true }).waitFor();
  await card.getByText("Ben Brown, what made you say 40–60–90 h?").waitFor();
  await olgas.getByRole("article", option("Cart")).getByText("Without guests").waitFor();
  await olgas.getByRole("article", option("Invoice")).getByText("1 person can’t judge it.").waitFor();
  await anas.getByRole("article", option("Card")).getByText("You said 4–16–34 h: what made you say so?").waitFor();
  await expectAccessibleState(olgas);

  // Adopting is one step, which can be undone here and in the editor.
  const isStored = (line: string) => until(async () => (await storedOutline(app, owner, id)).includes(line));
  await card.getByRole("button", { name: "Adopt Ben Brown for Card" }).click();
  await olgas.getByText("Adopted for 1 option.").waitFor();
  await isStored("Card: 40-60-90");
  await card.getByText("Adopted", { exact: true }).waitFor();
  await olgas.getByRole("button", { name: "Undo" }).click();
  await olgas.getByText("Undone.").waitFor();
  await isStored("Card: 4-16-34");
  await card.getByText("Adopted", { exact: true }).waitFor({ state: "detached" });
  await card.getByRole("button", { name: "Adopt Median for Card" }).click();
  await isStored("Card: 22-38-62");
  await olgas.getByRole("navigation", { name: "Pages of this estimation" }).getByRole("link", { name: "Tree" }).click();
  await olgas.getByRole("row", { name: "Card" }).getByRole("gridcell").first().click();
  await keys(olgas, "Alt+Enter");
  await olgas.getByText("Adopted from round 1: 2 people, agreement 0").waitFor();
  await olgas.getByRole("row", { name: "Card" }).getByRole("gridcell").first().click();
  await keys(olgas, "Control+z");
  await saved(olgas);
  await isStored("Card: 4-16-34");
  await olgas.getByText("Adopted from round 1").waitFor({ state: "detached" });

  // The options that they disagree about are estimated again, and found from the tab.
  await olgas.getByRole("link", { name: "Reviews" }).last().click();
  await olgas.getByRole("region", { name: "Rounds" }).getByRole("link", { name: "Round 1" }).click();
  await press(olgas, "Another round of 2 options");
  await olgas.getByRole("dialog").getByRole("button", { name: "Open round" }).click();
  await olgas.getByRole("heading", { name: "Round 2" }).waitFor();
  await olgas.getByText("0 of 2 people answered").first().waitFor();
  // It waits for Ana.
  await anas.goto("/reviews");
  await anas.getByRole("region", { name: "Waiting for you" }).getByRole("link", { name: "Web shop" }).click();
  await rangeOf(anas, "Card").waitFor();
  await anas.getByText("1 of 2", { exact: true }).waitFor();
});

test("the range of a round is typed by keys alone: what is no range is said, what was said can be changed", async () => {
  const { people, open, openRound, send, options } = await setRoundScene(app);
  const [ana] = people;
  if (!ana) throw new Error("nobody");
  const path = `/rounds/${await openRound()}`;
  const page = await open(ana, path);
  await answer(page, "Card", "16");
  await page.getByRole("alert").getByText("For 16 h exactly: 16-16-16").waitFor();
  await keys(page, "Control+a");
  await answer(page, "Card", "34-16-4");
  await page.getByText("Likely can’t be lower than Low").waitFor();
  await keys(page, "Control+a");
  await page.keyboard.type("2d-1w");
  await page.getByText(/^In 8 of 10 cases from /).waitFor();
  await keys(page, "Enter");
  // Typed and not saved is still there after another option, and after a reload.
  await rangeOf(page, "Invoice").waitFor();
  await page.keyboard.type("1-2");
  await keys(page, "ArrowDown");
  await rangeOf(page, "Cart").waitFor();
  await keys(page, "ArrowUp");
  expect(await rangeOf(page, "Invoice").inputValue()).toBe("1-2");
  await page.reload();
  await until(async () => (await rangeOf(page, "Invoice").inputValue()) === "1-2");
  await keys(page, "End");
  await page.keyboard.type("-3");
  await keys(page, "Enter");
  await rangeOf(page, "Cart").waitFor();
  await keys(page, "Alt+ArrowUp", "Alt+ArrowUp");
  await until(async () => (await rangeOf(page, "Card").inputValue()) === "16-28-40");
  await page.keyboard.type("?");
  await keys(page, "Enter");
  await page.getByRole("row", { name: /Card/ }).getByText("can’t judge").waitFor();
  const answered = (await send(ana, "GET", `${path}/options`)).options as unknown as {
    readonly optionId: string;
    readonly yours: { readonly hours: object | null } | null;
  }[];
  expect(answered.map(({ optionId, yours }) => [optionId, yours ? yours.hours : "none"])).toEqual([
    [options.card, null],
    [options.invoice, hours(1, 2, 3)],
    [options.cart, "none"],
    [options.list, "none"],
  ]);
  // From the tree to the fields.
  await page.getByRole("row", { name: /List/ }).click();
  await keys(page, "Enter");
  await until(() => page.evaluate<boolean>(`document.activeElement.id === "range-${options.list}"`));
});

test("an anonymous round shows no name, also not to its owner", async () => {
  const scene = await setRoundScene(app, ["Ana Abt", "Ben Brown", "Cleo Cook"]);
  const { owner, people, open, openRound, send, options } = scene;
  const round = await openRound({ anonymous: true, optionIds: [options.card] });
  for (const [at, person] of people.entries()) {
    const estimate = { optionId: options.card, ...hours(4 + 20 * at, 8 + 20 * at, 12 + 20 * at), note: `Note ${at}` };
    await send(person, "POST", `/rounds/${round}/estimates`, estimate);
  }
  const page = await open(owner, `/rounds/${round}`);
  await page.getByText("Least agreement first.").waitFor();
  await page.getByText("Whoever said 4–8–12 h: what made you say so?").waitFor();
  await page.getByText("Estimate 3", { exact: true }).waitFor();
  await page.getByText("Note 2").waitFor();
  const text = await page.getByRole("main").innerText();
  for (const name of ["Ana", "Ben", "Cleo"]) expect(text).not.toContain(name);
  await expectAccessibleState(page);
});

test("ten people answer at once: their number and the reveal show live, and all pools are adopted in one step", async () => {
  const names = Array.from({ length: 10 }, (_, at) => `Person ${at + 1}`);
  const { owner, people, id, open, openRound, send, options } = await setRoundScene(app, names);
  const round = await openRound({ optionIds: [options.card, options.cart] });
  const page = await open(owner, `/rounds/${round}`);
  await page.getByText("0 of 10 people answered").first().waitFor();
  await page.evaluate(WATCH_TEXTS);
  const give = async (at: number) => {
    const person = people[at];
    if (!person) throw new Error("nobody");
    const estimates = [options.card, options.cart].map((optionId) => ({ optionId, ...hours(4 + at, 8 + at, 16 + at) }));
    await send(person, "POST", `/rounds/${round}/estimates`, { estimates });
  };
  await Promise.all([0, 1, 2, 3, 4].map(give));
  await page.getByText("5 of 10 people answered").first().waitFor();
  await Promise.all([5, 6, 7, 8, 9].map(give));
  await page.getByText("Least agreement first.").waitFor();
  expect(await page.getByRole("article", option("Card")).getByRole("row").count()).toBe(14);
  // Nothing of anybody's range before that.
  const seen = await page.evaluate<string[]>("texts");
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter((text) => !text.includes("Least agreement first.") && text.includes("–8–"))).toEqual([]);
  await press(page, "Adopt the pool for 2 options");
  await page.getByText("Adopted for 2 options.").waitFor();
  const adopted = await storedOutline(app, owner, id);
  expect(adopted).not.toContain("Card: 4-16-34");
  await press(page, "Undo");
  await page.getByText("Undone.").waitFor();
  await until(async () => (await storedOutline(app, owner, id)).includes("Card: 4-16-34"));
  expect(await storedOutline(app, owner, id)).toContain("Cart: 8-12-30");
});

test("who is asked too has to answer before the reveal, and an option that was changed is not adopted", async () => {
  const { owner, people, open, openRound, send, options, nodes } = await setRoundScene(app);
  const participants = [owner, ...people].map(({ userId }) => userId);
  const round = await openRound({ participants, optionIds: [options.card] });
  for (const person of people)
    await send(person, "POST", `/rounds/${round}/estimates`, { optionId: options.card, ...hours(4, 8, 16) });
  // Where streams don't arrive, the page looks by itself.
  const page = await open(owner, `/rounds/${round}`, await withoutStream(await openBrowser(app)));
  await rangeOf(page, "Card").waitFor();
  await press(page, "Reveal");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("1 person hasn’t answered yet.").waitFor();
  await dialog.getByRole("button", { name: "Reveal" }).click();
  await dialog.getByText("You were asked too: answer or skip every option first.").waitFor();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "hidden" });
  // All of it can be found in the palette.
  await keys(page, "Control+k");
  // What is typed before it is there is for the button that has the focus.
  await page.getByRole("combobox", { name: /Search|Go to/ }).fill("close round");
  await page.getByRole("option", { name: /^Close round/ }).waitFor();
  await keys(page, "Escape");
  // It gives the focus back.
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await rangeOf(page, "Card").focus();
  await answer(page, "Card", "5-9-20");
  await page.getByText("Least agreement first.").waitFor();
  const [payment, screens] = await nodes();
  const [card, ...others] = payment?.options ?? [];
  const changed = { ...payment, options: [{ ...card, hours: hours(1, 2, 3) }, ...others] };
  await send(owner, "PUT", "/tree", { nodes: [changed, screens] });
  await page.getByRole("button", { name: "Adopt Pool for Card" }).click();
  await page.getByRole("alert").getByText("so nothing was adopted").waitFor();
  // It ends, and can still be read.
  await press(page, "Actions for the round");
  await page.getByRole("menuitem", { name: "Close round" }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.locator("header strong").getByText("Closed").waitFor();
  expect(await page.getByRole("button", { name: /^Adopt/ }).count()).toBe(0);
  await page.getByText("Olga Owner (you)").waitFor();
});

test("answers that come after the reveal are said, with what they were", async () => {
  const { owner, people, open, openRound, send, options } = await setRoundScene(app, [
    "Ana Abt",
    "Ben Brown",
    "Cleo Cook",
  ]);
  const [ana, ...others] = people;
  if (!ana) throw new Error("nobody");
  const round = await openRound({ optionIds: [options.card] });
  const browser = await openBrowser(app);
  const page = await open(ana, `/rounds/${round}`, browser);
  await rangeOf(page, "Card").waitFor();
  await browser.setOffline(true);
  await answer(page, "Card", "4-16-34");
  await page.getByText("No connection.").waitFor();
  for (const person of others)
    await send(person, "POST", `/rounds/${round}/estimates`, { optionId: options.card, ...hours(4, 8, 16) });
  await send(owner, "POST", `/rounds/${round}/reveal`);
  await browser.setOffline(false);
  await page.getByText("Not sent: Card 4–16–34.").waitFor();
  await expectAccessible(page);
  await page.getByText("Least agreement first.").waitFor();
  await page.reload();
  await page.getByText("Not sent: Card 4–16–34.").waitFor();
  await press(page, "Discard");
  await page.getByText("Not sent:").waitFor({ state: "detached" });
  expect(await page.getByText("4–16–34").count()).toBe(1);
});

test("an answer that is refused holds back no other, and is there to be changed, with its note", async () => {
  const parts = Array.from({ length: 12 }, (_, at) => `Part ${at + 1}`);
  const outline = `# Web shop\n\n- Parts\n${parts.map((part) => `  - ${part}: 1-2-3`).join("\n")}\n`;
  const { people, open, openRound, send, nodes } = await setRoundScene(app, ["Ana Abt", "Ben Brown"], outline);
  const [ana] = people;
  if (!ana) throw new Error("nobody");
  const optionIds = (await nodes()).flatMap((node) => node.options.map((each) => each.id));
  const path = `/rounds/${await openRound({ optionIds })}`;
  // Three bytes each: ten such notes fit.
  const note = "€".repeat(limits.roundNoteLength);
  const estimates = optionIds.slice(0, 10).map((optionId) => ({ optionId, ...hours(1, 2, 3), note }));
  await send(ana, "POST", `${path}/estimates`, { estimates });
  const page = await open(ana, path);
  await rangeOf(page, "Part 11").waitFor();
  await page.getByLabel("Why (optional)").fill(note);
  await rangeOf(page, "Part 11").focus();
  await answer(page, "Part 11", "4-16-34");
  await page.getByText("Not sent: Part 11 4–16–34.").waitFor();
  await expectAccessibleState(page);
  await answer(page, "Part 12", "1-2-3");
  await until(
    async () => JSON.stringify((await send(ana, "GET", path)).round?.you) === '{"answered":11,"remaining":1}',
  );
  await page.getByRole("heading", { name: "Not everything is sent yet" }).waitFor();
  await press(page, "Change");
  await until(async () => (await rangeOf(page, "Part 11").inputValue()) === "4-16-34");
  expect(await page.getByLabel("Why (optional)").inputValue()).toBe(note);
  await page.getByLabel("Why (optional)").fill("Shorter");
  await rangeOf(page, "Part 11").focus();
  await keys(page, "Enter");
  await page.getByRole("heading", { name: "You’re done" }).waitFor();
  expect(await page.getByText("Not sent:").count()).toBe(0);
});

test("what is typed and not saved is said, and after the reveal shown; a reason outlasts a skip", async () => {
  const { owner, people, open, openRound, send, options } = await setRoundScene(app);
  const [ana, ben] = people;
  if (!ana || !ben) throw new Error("nobody");
  const optionIds = [options.card, options.invoice];
  const path = `/rounds/${await openRound({ optionIds })}`;
  const page = await open(ana, path);
  const why = page.getByLabel("Why (optional)");
  await rangeOf(page, "Card").waitFor();
  await why.fill("Depends on the bank");
  await rangeOf(page, "Card").focus();
  await answer(page, "Card", "?");
  await rangeOf(page, "Invoice").waitFor();
  await keys(page, "ArrowUp");
  await rangeOf(page, "Card").waitFor();
  expect(await why.inputValue()).toBe("Depends on the bank");
  await keys(page, "Control+a");
  await answer(page, "Card", "4-16-34");
  await rangeOf(page, "Invoice").waitFor();
  await until(async () => JSON.stringify(await send(ana, "GET", `${path}/options`)).includes("Depends on the bank"));
  // It is saved now: nothing is left of it.
  expect(await page.getByRole("row", { name: /Card/ }).getByText("not saved").count()).toBe(0);
  await keys(page, "ArrowUp");
  await rangeOf(page, "Card").waitFor();
  await keys(page, "Control+a");
  await page.keyboard.type("5-20-40");
  await keys(page, "ArrowDown");
  await page.getByRole("row", { name: /Card/ }).getByText("not saved").waitFor();
  await answer(page, "Invoice", "1-2-3");
  await page.getByRole("heading", { name: "Not everything is saved" }).waitFor();
  await expectAccessibleState(page);
  await press(page, "Card");
  await until(async () => (await rangeOf(page, "Card").inputValue()) === "5-20-40");
  const estimates = optionIds.map((optionId) => ({ optionId, ...hours(4, 8, 16) }));
  await send(ben, "POST", `${path}/estimates`, { estimates });
  await page.getByText("Least agreement first.").waitFor();
  await page.getByText("Not sent: Card 5–20–40.").waitFor();
  await expectAccessible(page);
  await press(page, "Discard");
  await page.getByText("Not sent:").waitFor({ state: "detached" });
  const kept = await page.evaluate<string>("JSON.stringify(Object.keys(sessionStorage))");
  expect(kept).not.toContain("round-");
  // Ana's answer was the one that she saved.
  expect(JSON.stringify(await send(owner, "GET", `${path}/options`))).toContain('"pessimistic":34');
});

test("nobody learns who is answering from who is here", async () => {
  const scene = await setRoundScene(app, ["Ana Abt", "Ben Brown", "Cleo Cook"]);
  const { owner, people, open, openRound, send, options } = scene;
  const [ana, ben, cleo] = people;
  if (!ana || !ben || !cleo) throw new Error("nobody");
  const path = `/rounds/${await openRound({ optionIds: [options.card] })}`;
  const olgas = await open(owner, path);
  await olgas.getByText("0 of 3 people answered").first().waitFor();
  await olgas.evaluate(WATCH_HERE);
  const anas = await open(ana, path);
  await answer(anas, "Card", "4-16-34");
  await olgas.getByText("1 of 3 people answered").first().waitFor();
  const give = (by: typeof ben) =>
    send(by, "POST", `${path}/estimates`, { optionId: options.card, ...hours(4, 8, 16) });
  await give(ben);
  await anas.getByText("2 of 3 people answered.").waitFor();
  await olgas.getByText("2 of 3 people answered").first().waitFor();
  expect(await olgas.evaluate<string[]>("here")).toEqual([]);
  await give(cleo);
  await anas.getByText("Least agreement first.").waitFor();
  // From then on it tells nothing.
  await until(async () => (await olgas.evaluate<string[]>("here")).some((label) => label.includes("Ana Abt")));
});

test("two tabs show the same answers, and of two that waited the later counts", async () => {
  const { people, open, openRound, send, options } = await setRoundScene(app);
  const [ana] = people;
  if (!ana) throw new Error("nobody");
  const path = `/rounds/${await openRound({ optionIds: [options.card, options.invoice, options.cart] })}`;
  const browser = await openBrowser(app);
  const one = await open(ana, path, browser);
  const other = await open(ana, path, browser);
  await rangeOf(other, "Card").waitFor();
  await answer(one, "Card", "4-16-34");
  await other.getByRole("row", { name: /Card/ }).getByText("estimated").waitFor();
  await browser.setOffline(true);
  await answer(one, "Invoice", "1-2-3");
  await rangeOf(one, "Cart").waitFor();
  await other
    .getByRole("row", { name: /Invoice/ })
    .getByText("not sent yet")
    .waitFor();
  await keys(other, "ArrowDown");
  await until(async () => (await rangeOf(other, "Invoice").inputValue()) === "1-2-3");
  await answer(other, "Invoice", "2-4-6");
  await browser.setOffline(false);
  for (const page of [one, other])
    await page
      .getByRole("row", { name: /Invoice.*2–4–6/ })
      .getByText("estimated")
      .waitFor();
  const stored = JSON.stringify(await send(ana, "GET", `${path}/options`));
  expect(stored).toContain(JSON.stringify(hours(2, 4, 6)));
  expect(stored).not.toContain(JSON.stringify(hours(1, 2, 3)));
});

test("everybody sees how well their own estimates held, and nobody else's", async () => {
  const { owner, people, open, openRound, send, options } = await setRoundScene(app);
  const [ana] = people;
  if (!ana) throw new Error("nobody");
  const round = await openRound({ optionIds: [options.card] });
  for (const person of people)
    await send(person, "POST", `/rounds/${round}/estimates`, { optionId: options.card, ...hours(4, 8, 16) });
  await send(owner, "POST", `/rounds/${round}/reveal`);
  await send(owner, "POST", "/submit");
  const { tasks } = await send(owner, "POST", "/tasks/generate");
  const card = (tasks as unknown as { id: string; optionId: string }[]).find(
    ({ optionId }) => optionId === options.card,
  );
  await send(owner, "PUT", `/tasks/${card?.id}`, { actualHours: 12, doneAt: "2026-01-15T12:00:00Z" });
  const page = await open(ana);
  await page.goto("/accuracy");
  const own = page.getByRole("region", { name: "Your estimates in rounds" });
  await own.getByText("Too few tasks to judge your hours: 1 of the 6 that it takes.").waitFor();
  await expectAccessible(page);
  await page.close();
  const theirs = await open(owner);
  await theirs.goto("/accuracy");
  await theirs.getByText("What ranges say, and what happened").waitFor();
  await theirs.waitForLoadState("networkidle");
  expect(await theirs.getByText("Your estimates in rounds").count()).toBe(0);
});
