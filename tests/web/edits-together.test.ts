import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import type { Node } from "../../contract/values/tree.ts";
import { every, monotonicMs, systemClock } from "../../server/platform/clock.ts";
import { start, type TestUser, until } from "../harness.ts";
import { patient } from "../support/patience.ts";
import { importAs, keys } from "./actions.ts";
import { openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

/** How long two people edit at random, in seconds: a minute, unless the environment says for how long. */
const SECONDS = Number(process.env.EDIT_TOGETHER_SECONDS ?? 60);
/** Lines beyond which nothing is added. */
const LINES_MAX = 40;

const OUTLINE = `# Shop

- Pages
  - Cart: 4-8-12
  - Search: 5
- Payment (choose one)
  - [x] Card: 8
  - Invoice: 6
- Delivery
  - Parcel: 4
  - Pick-up: 2
`;

/** Random numbers that a seed repeats (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/**
 * Answers what is asked about changes of both, in the page itself: another question may take its place at any time. `choices`
 * are 0 for mine and 1 for theirs. Returns whether anything was asked.
 */
const answer = (page: Page, choices: readonly number[]): Promise<boolean> =>
  page.evaluate<boolean>(`(async () => {
    const choices = ${JSON.stringify(choices)};
    const dialog = document.querySelector("dialog[open]");
    for (const [at, one] of [...(dialog?.querySelectorAll("fieldset") ?? [])].entries()) {
      one.querySelectorAll("input")[choices[at % choices.length]]?.click();
      // As one click after the other.
      await new Promise((shown) => setTimeout(shown));
    }
    [...(dialog?.querySelectorAll("button") ?? [])].find(({ textContent }) => textContent === "Apply")?.click();
    return dialog !== null;
  })()`);

/** Goes to the first line; where both have deleted every line, adds a question. In the page itself, where nothing changes meanwhile. */
const begin = (page: Page): Promise<"at the first line" | "adding"> =>
  page.evaluate(`(() => {
    const first = document.querySelector("[data-row] td");
    first?.focus();
    if (first) return "at the first line";
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Question").click();
    return "adding";
  })()`);

/** Does one thing at random with the line that has the focus, and goes to another one before. */
async function edit(page: Page, random: (below: number) => number, word: string): Promise<void> {
  if (await answer(page, [random(2), random(2), random(2)])) return;
  if ((await begin(page)) === "adding") {
    await page.keyboard.type(word);
    return keys(page, "Enter", "Escape");
  }
  for (let steps = random(12); steps > 0; steps -= 1) await page.keyboard.press("ArrowDown");
  const lines = await page.locator("[data-row]").count();
  const type = async (text: string) => {
    await page.keyboard.press("Control+a");
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  };
  switch (random(9)) {
    case 0:
    case 1:
      await keys(page, "F2");
      return type(word);
    case 2:
    case 3:
      await keys(page, "ArrowRight", "F2");
      return type(`${1 + random(5)}-${6 + random(5)}-${11 + random(9)}`);
    case 4:
      return keys(page, "Space");
    case 5:
      if (lines >= LINES_MAX) return keys(page, "Delete");
      await keys(page, "Control+Enter");
      await page.keyboard.type(word);
      return keys(page, "Enter", "Escape");
    case 6:
      return keys(page, lines > LINES_MAX / 4 ? "Delete" : "Space");
    case 7:
      return keys(page, random(2) === 0 ? "Alt+ArrowUp" : "Alt+ArrowDown");
    default:
      return keys(page, "Control+z");
  }
}

/** Gives up what a question interrupted while it was typed, and which is no range yet: it stays in its cell until then. */
async function giveUpCutOff(page: Page): Promise<void> {
  for (const cell of await page.locator("[data-row] td", { hasText: /^\d+-[\d-]*$/ }).all()) {
    await cell.focus();
    await keys(page, "F2", "Escape");
  }
}

/** The lines of a tree as text: id, title and hours, in their order. */
function linesOf(nodes: readonly Node[]): string[] {
  return nodes.flatMap(({ id, title, options }) => [
    `${id} ${title}`,
    ...options.flatMap((option) => {
      const points = option.override ?? option.hours;
      const hours = points ? `${points.optimistic} ${points.likely} ${points.pessimistic}` : "";
      return [`${option.id} ${option.title} ${hours}`.trim(), ...linesOf(option.nodes)];
    }),
  ]);
}

const SHOWN = `[...document.querySelectorAll("[data-row]")]
  .sort((one, other) => one.ariaRowIndex - other.ariaRowIndex)
  .map((row) => [row.dataset.row, row.querySelector("[data-cut]").firstChild.textContent,
    ...(row.cells.length > 5 ? [1, 2, 3].map((at) => row.cells[at].textContent) : [])].join(" ").trim())`;

const NAME = `what two people see after random edits for ${SECONDS} seconds is what the service has`;

test(NAME, { timeout: patient(180_000) + SECONDS * 1_000 }, async () => {
  const [anna, ben] = [await app.signUp(), await app.signUp()];
  const id = await importAs(app, anna, OUTLINE);
  const path = `/api/estimations/${id}`;
  const invited = await app.request("POST", `${path}/shares`, {
    token: anna.token,
    body: { email: ben.email, permission: "edit" },
  });
  await app.request("POST", `/api/shares/${invited.data.share?.id}/accept`, { token: ben.token });
  const open = async (user: TestUser) => {
    // All lines are in the document.
    const page = await openSignedIn(
      await openBrowser(app, { viewport: { width: 1200, height: 3_000 } }),
      user,
      `/estimations/${id}`,
    );
    await page.getByRole("img", { name: /^Also here/ }).waitFor();
    return page;
  };
  const pages = await Promise.all([open(anna), open(ben)]);
  // By the database's time, which goes on, a stream that is not renewed for a minute is closed.
  onTestFinished(every(systemClock, 10_000, () => app.clock.advance(15_000)));
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.log(` seed ${seed}`);
  const untilMs = monotonicMs() + SECONDS * 1_000;
  const made = await Promise.all(
    pages.map(async (page, at) => {
      const random = randomOf(seed + at);
      let count = 0;
      for (; monotonicMs() < untilMs; count += 1) await edit(page, random, `${at === 0 ? "A" : "B"} ${count}`);
      return count;
    }),
  );
  for (const page of pages) await keys(page, "Escape");
  // What one of them saves may be a question to the other.
  await until(async () => {
    for (const page of pages) await answer(page, [0]);
    const marks = pages.map((page) => page.getByText("Saved", { exact: true }).isVisible());
    return (await Promise.all(marks)).every(Boolean);
  });
  for (const page of pages) await giveUpCutOff(page);
  const stored = async () => {
    const { data } = await app.request("GET", `${path}/tree`, { token: anna.token });
    return linesOf(data.tree?.nodes as unknown as readonly Node[]);
  };
  for (const page of pages)
    await until(async () => {
      const [shown, has] = [await page.evaluate<string[]>(SHOWN), await stored()];
      return JSON.stringify(shown) === JSON.stringify(has);
    }).catch(async () => expect(await page.evaluate<string[]>(SHOWN)).toEqual(await stored()));
  const { data } = await app.request("GET", path, { token: anna.token });
  console.log(` ${made.join(" and ")} edits, revision ${data.estimation?.revision}`);
  // Both did something that was stored.
  expect(Math.min(...made)).toBeGreaterThan(0);
  expect(Number(data.estimation?.revision)).toBeGreaterThan(1);
});
