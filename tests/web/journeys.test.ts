import type { BrowserContextOptions, Locator } from "playwright-core";
import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { keys, newLine, saved, storedOutline } from "./actions.ts";
import { expectAccessible, openBrowser } from "./browser.ts";

const app = await start({ pages: true });

const PHONE: BrowserContextOptions = { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true };

// What a user of the locale types, and what the page then shows of it.
test.each<[string, BrowserContextOptions, Record<"range" | "rate" | "actual", string>, string[]]>([
  ["de-DE", {}, { range: "4,5 16 34", rate: "1.250,5", actual: "12,25" }, ["4,5", "1.250,5"]],
  ["fr-FR", {}, { range: "4,5-16-34", rate: "1 250,5", actual: "12,25" }, ["4,5", "1\u202f250,5"]],
  ["en-GB", PHONE, { range: "4.5/16/34", rate: "1,250.5", actual: "12.25" }, ["4.5", "1,250.5"]],
])(
  "with the pointer in %s a newcomer estimates, submits, and enters what it took",
  async (locale, options, typed, shown) => {
    const page = await (await openBrowser(app, { locale, ...options })).newPage();
    const hit = (target: Locator) => (options.hasTouch ? target.tap() : target.click());
    const button = (name: string) => hit(page.getByRole("button", { name, exact: true }));
    const row = (name: string) => page.getByRole("row", { name });
    const email = `${locale}@example.com`;

    await page.goto("/");
    await hit(page.getByRole("link", { name: "Create an account" }));
    await page.getByLabel("Name (optional)").fill("Grace Hopper");
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill("nanoseconds of wire");
    await button("Create account");
    await hit(page.getByRole("link", { name: "Create your first estimation" }));
    await page.getByLabel("Title").fill("Compiler");
    await button("Create estimation");
    await button("Question");
    await newLine(page);
    await page.keyboard.type("Parser");
    await keys(page, "Enter");
    await button("Option");
    await newLine(page);
    await page.keyboard.type("By hand");
    await keys(page, "Enter");
    const low = row("By hand").getByRole("gridcell").nth(1);
    await hit(low);
    // With a finger the second touch edits.
    await (options.hasTouch ? low.tap() : low.dblclick());
    await page.locator("input[aria-label$='By hand']").waitFor();
    await page.keyboard.insertText(typed.range);
    await keys(page, "Enter");
    await saved(page);
    await expect.poll(() => row("By hand").innerText()).toContain(shown[0]);
    await page.getByText("80% likely to take no longer").waitFor();
    await expectAccessible(page);

    await hit(page.getByRole("button", { name: "Settings" }).first());
    await page.getByRole("dialog").getByLabel("Hourly rate").fill(typed.rate);
    await page.getByRole("dialog").getByLabel("Currency").selectOption("EUR");
    await hit(page.getByRole("dialog").getByRole("button", { name: "Save" }));
    await saved(page);

    await button("Submit");
    await page.getByText("Submitted and read-only.").waitFor();
    await hit(page.getByRole("link", { name: "Tasks" }));
    await button("Generate tasks");
    await page.getByRole("dialog").getByText("1 task new").waitFor();
    await hit(page.getByRole("dialog").getByRole("button", { name: "Generate" }));
    await page.getByLabel("Actual hours of Parser: By hand").fill(typed.actual);
    await keys(page, "Enter");
    const { data } = await app.request("POST", "/api/auth/login", { body: { email, password: "nanoseconds of wire" } });
    const token = String(data.token);
    const { estimations } = (await app.request("GET", "/api/estimations", { token })).data;
    const [estimation] = estimations as unknown as { readonly id: string; readonly hourlyRate: number }[];
    const id = String(estimation?.id);
    const actual = async () => {
      const { tasks } = (await app.request("GET", `/api/estimations/${id}/tasks`, { token })).data;
      return (tasks as unknown as { readonly actualHours: number | null }[]).map(({ actualHours }) => actualHours);
    };
    await until(async () => (await actual()).includes(12.25));
    expect(estimation?.hourlyRate).toBe(1250.5);
    expect(await storedOutline(app, { token } as never, id)).toContain("By hand: 4.5-16-34");
  },
);
