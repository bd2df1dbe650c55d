import { createHmac } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { startReceiver } from "../support/receiver.ts";
import { keys, newLine } from "./actions.ts";
import { openBrowser } from "./browser.ts";
import { tabTo } from "./keyboard.ts";

const app = await start({ pages: true, worker: true });

const press = async (page: Page, name: string) => {
  await tabTo(page, name);
  await page.keyboard.press("Enter");
};

test("by keyboard alone a newcomer registers, estimates, submits and generates tasks, and a webhook receives them", async () => {
  const receiver = await startReceiver((_, response) => response.writeHead(204).end());
  receiver.trustedBy(app.services.config.dataDir);
  const page = await (await openBrowser(app)).newPage();

  await page.goto("/");
  await page.getByLabel("E-mail address").waitFor();
  await press(page, "Create an account");
  await page.getByLabel("Name (optional)").waitFor();
  await page.keyboard.type("Grace Hopper");
  await keys(page, "Tab");
  await page.keyboard.type("grace@example.com");
  await keys(page, "Tab");
  await page.keyboard.type("nanoseconds of wire");
  await keys(page, "Enter");
  await page.getByRole("heading", { name: "No estimations yet" }).waitFor();

  await tabTo(page, "Account of Grace Hopper");
  await keys(page, "Enter", "Enter");
  await page.getByRole("heading", { name: "Account and security" }).waitFor();
  await press(page, "Webhooks");
  await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
  await press(page, "New webhook");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type(`${receiver.url}/hook`);
  await tabTo(page, "estimation.tasks_generated");
  await keys(page, "Space");
  await keys(page, "Enter");
  const secret = await page.getByRole("dialog").locator("code").innerText();
  await tabTo(page, "I have saved it");
  await keys(page, "Space");
  await press(page, "Done");
  await page.getByText("Nothing sent yet").waitFor();

  await press(page, "Estimations");
  await page.getByRole("heading", { name: "No estimations yet" }).waitFor();
  await press(page, "Create your first estimation");
  await page.getByRole("button", { name: "Create estimation" }).waitFor();
  await page.keyboard.type("Compiler");
  await keys(page, "Enter");
  await page.getByRole("button", { name: "Submit" }).waitFor();
  await press(page, "Question");
  await newLine(page);
  await page.keyboard.type("Parser");
  // The next line is an option of it.
  await keys(page, "Enter", "Tab");
  await page.keyboard.type("By hand: 4-16-34");
  await keys(page, "Enter", "Enter");
  await page.getByText("Saved", { exact: true }).waitFor();
  await press(page, "Submit");
  await page.getByText("Submitted and read-only.").waitFor();
  await press(page, "Tasks");
  await page.getByRole("heading", { name: "No tasks yet" }).waitFor();
  await press(page, "Generate tasks");
  await page.getByRole("dialog").getByText("1 task new").waitFor();
  await press(page, "Generate");
  await page.getByRole("row", { name: "By hand" }).waitFor();

  const generated = await until(() =>
    receiver.requests.find(({ headers }) => headers["x-service-event"] === "estimation.tasks_generated"),
  );
  const signature = createHmac("sha256", secret).update(generated.body).digest("hex");
  expect(generated.headers["x-service-signature"]).toBe(`sha256=${signature}`);
  await receiver.close();
});
