import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { hold, press } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

const nodes = [
  { title: "Base", kind: "group", options: [{ title: "Set-up", hours: 100 }] },
  {
    title: "Payment",
    kind: "single",
    required: true,
    options: [
      { title: "Card", hours: 200, selected: true },
      { title: "Invoice", hours: 50 },
    ],
  },
  { title: "Extras", kind: "multi", options: [{ title: "Search", hours: 300 }] },
];

async function estimation() {
  const owner = await app.signUp();
  const send = (method: string, path: string, body?: object) =>
    app.request(method, path, { token: owner.token, ...(body && { body }) });
  const { data } = await send("POST", "/api/estimations", { title: "Shop" });
  const path = `/api/estimations/${data.estimation?.id}`;
  await send("PUT", `${path}/tree`, { nodes });
  return { owner, send, path, id: String(data.estimation?.id) };
}

test("an owner makes a link; a client without an account tries options and accepts; the owner applies it", async () => {
  const { owner, send, path, id } = await estimation();
  const own = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/shares`);
  await press(own, "New link");
  await own.getByLabel("Heading").fill("Our offer");
  await own.getByLabel("Client can try other options").check();
  await press(own, "Create link");
  const url = await own.getByText(/\/p\/[\w-]{43}$/).innerText();
  await own.getByLabel("I have saved it").check();
  await press(own, "Done");
  await own
    .getByRole("row", { name: /Our offer/ })
    .getByText("Active")
    .waitFor();

  const context = await openBrowser(app);
  const page = await context.newPage();
  await page.goto(`${app.url}${new URL(url).pathname}`);
  await page.getByRole("heading", { name: "Our offer" }).waitFor();
  const total = page.getByRole("region", { name: "Total" }).getByRole("status");
  await total.getByText("300 h").waitFor();
  await page.getByLabel(/Invoice/).check();
  await total.getByText("150 h").waitFor();
  await page.getByLabel(/Search/).check();
  await total.getByText("450 h").waitFor();
  await expectAccessible(page);
  await page.getByLabel("Name").fill("Robin Client");
  await page.getByLabel("E-mail").fill("robin@client.example");
  // It is asked about once, also where Enter is pressed in a field.
  const question = page.getByRole("dialog", { name: "Accept 450 h?" });
  await page.getByLabel("E-mail").press("Enter");
  await question.waitFor();
  await expectAccessible(page);
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  expect((await send("GET", `${path}/links`)).data.links?.[0]?.acceptedAt).toBe(null);
  await press(page, "Accept");
  await question.getByRole("button", { name: "Accept", exact: true }).click();
  await page.getByText("This has been accepted.").or(page.getByText("Accepted. Thank you")).first().waitFor();
  expect(await page.getByRole("button", { name: "Accept", exact: true }).count()).toBe(0);

  // Whoever opens the page later sees what was chosen, and its total.
  const later = await (await openBrowser(app)).newPage();
  await later.goto(page.url());
  await later.getByRole("region", { name: "Total" }).getByText("450 h").waitFor();
  for (const [title, mark] of [
    ["Card", "not included"],
    ["Invoice", "included"],
    ["Search", "included"],
  ] as const) {
    const option = later.getByRole("listitem").filter({ hasText: title });
    expect((await option.innerText()).split("\n").map((line) => line.trim())).toEqual([title, mark]);
  }
  expect(await later.getByRole("radio").count()).toBe(0);
  await expectAccessible(later);

  await own.reload();
  await own.getByRole("button", { name: "Actions for Our offer" }).click();
  await own.getByRole("menuitem", { name: "Apply the client’s choice" }).click();
  await own.getByText("Applied as a new version.").waitFor();
  expect((await send("GET", path)).data.estimation?.hours?.expected).toBe(450);
});

test("nothing can be accepted while the total of what is chosen is not there", async () => {
  const { send, path } = await estimation();
  const shown = { shows: "hours", percentile: "expected", choices: true, descriptions: false };
  const { data } = await send("POST", `${path}/links`, shown);
  const page = await (await openBrowser(app)).newPage();
  const totals = await hold(page, /\/what-if$/, "POST");
  await page.goto(`${app.url}${new URL(String(data.url)).pathname}`);
  const accept = page.getByRole("button", { name: "Accept", exact: true });
  expect(await accept.isEnabled()).toBe(true);
  await page.getByLabel("Name").fill("Robin Client");
  await page.getByLabel("E-mail").fill("robin@client.example");
  await page.getByLabel(/Search/).check();
  await until(() => totals.requests.count > 0);
  expect(await accept.isEnabled()).toBe(false);
  await page.getByLabel("E-mail").press("Enter");
  expect(await page.getByRole("dialog").count()).toBe(0);
  totals.release();
  await page.getByRole("region", { name: "Total" }).getByText("600 h").waitFor();
  expect(await accept.isEnabled()).toBe(true);
  await page.getByLabel("E-mail").press("Enter");
  await page.getByRole("dialog", { name: "Accept 600 h?" }).waitFor();
});

test("a question that a client could not answer is named where the link is made", async () => {
  const { owner, send, path, id } = await estimation();
  const extras = { title: "Extras", kind: "multi", max: 2, options: [{ title: "Search", hours: 300 }] };
  await send("PUT", `${path}/tree`, { nodes: [extras] });
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/shares`);
  await press(page, "New link");
  await page.getByLabel("Client can try other options").check();
  await press(page, "Create link");
  await page.getByText("A client couldn’t answer every question. Lower the max of “Extras” to 1").waitFor();
  await page.getByLabel("Client can try other options").uncheck();
  await press(page, "Create link");
  await page.getByText(/\/p\/[\w-]{43}$/).waitFor();
});

test("the assumptions show beside what is included, also on paper, and other text than that does not", async () => {
  const { send, path } = await estimation();
  await send("PUT", path, { description: "For colleagues", assumptions: "Texts come from you.\n<b>Two</b> rounds." });
  const shown = { shows: "hours", percentile: "p80", choices: false, descriptions: false };
  const { data } = await send("POST", `${path}/links`, shown);
  const page = await (await openBrowser(app)).newPage();
  await page.goto(`${app.url}${new URL(String(data.url)).pathname}`);
  const assumptions = page.getByRole("region", { name: "Assumptions" });
  expect(await assumptions.locator("p").innerText()).toBe("Texts come from you.\n<b>Two</b> rounds.");
  expect(await page.getByText("For colleagues").count()).toBe(0);
  await expectAccessible(page);
  await page.emulateMedia({ media: "print" });
  expect(await assumptions.isVisible()).toBe(true);
});

test("the page fits a phone, and on paper shows only what is chosen", async () => {
  const { send, path } = await estimation();
  const shown = { shows: "hoursRange", percentile: "p80", choices: true, descriptions: true };
  const { data } = await send("POST", `${path}/links`, shown);
  const page = await (await openBrowser(app)).newPage();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${app.url}${new URL(String(data.url)).pathname}`);
  await page.getByText("Your answer").waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  await page.emulateMedia({ media: "print" });
  expect(await page.getByText("Card").isVisible()).toBe(true);
  for (const hidden of ["Invoice", "Your answer"]) expect(await page.getByText(hidden).isVisible()).toBe(false);
});

test("an unknown address and one that has expired say so, and the page is not stored, listed or told to others", async () => {
  const { send, path } = await estimation();
  const shown = { shows: "hours", percentile: "p80", choices: false, descriptions: false };
  const expiresAt = app.clock.now().toISOString();
  const { data } = await send("POST", `${path}/links`, { ...shown, expiresAt });
  const page = await (await openBrowser(app)).newPage();
  for (const [at, title] of [
    [new URL(String(data.url)).pathname, "This page has expired"],
    [`/p/${"a".repeat(43)}`, "This page doesn’t exist"],
  ] as const) {
    const response = await page.goto(`${app.url}${at}`);
    await page.getByRole("heading", { name: title }).waitFor();
    const headers = response?.headers() ?? {};
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow",
    });
    expect(headers["set-cookie"]).toBe(undefined);
  }
});
