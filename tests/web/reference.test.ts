import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { start } from "../harness.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });
const run = promisify(execFile);

test("a request is found, its samples do what they say, and it is sent with the reader's session", async () => {
  const user = await app.signUp();
  const page = await openSignedIn(await openBrowser(app, { colorScheme: "dark" }), user, "/docs");
  const { body: described } = await app.request("GET", "/api/openapi.json");
  const count = Object.values(described.paths ?? {}).flatMap((rows) => Object.keys(rows)).length;
  await page.getByText(`${count} requests`, { exact: true }).waitFor();
  await page.getByRole("searchbox").fill("POST /api/estimations create an");
  await page.getByRole("link", { name: "Create an estimation POST" }).click();
  await page.getByRole("heading", { name: "Create an estimation" }).waitFor();
  expect(await page.locator("nav [aria-current=page]").allInnerTexts()).toEqual(["API", "Create an estimation\nPOST"]);
  await page.getByText("API key needs estimations:write").waitFor();
  const body = page.getByRole("textbox", { name: "Body", exact: true });
  const title = `It's "quoted" \\ – ü`;
  await body.fill(JSON.stringify({ title, hourlyRate: 99, currency: "EUR" }));
  const sampleIn = async (language: string) => {
    await page.getByText(language, { exact: true }).click();
    return await page.getByRole("textbox", { name: `Sample: ${language}` }).inputValue();
  };
  const env = { ...process.env, TOKEN: user.token };
  const { stdout: byCurl } = await run("bash", ["-c", `${await sampleIn("curl")} -sS`], { env });
  const file = join(await mkdtemp(join(tmpdir(), "sample-")), "sample.ts");
  await writeFile(file, await sampleIn("TypeScript"));
  const { stdout: byNode } = await run(process.execPath, [file], { env });
  for (const text of [byCurl, byNode]) expect(JSON.parse(text).data.estimation.title).toBe(title);
  expect(await sampleIn("Python")).toContain('"hourlyRate": 99,');
  await page.getByRole("button", { name: "Send request" }).click();
  await page.getByText(/^201 after/).waitFor();
  const answer = JSON.parse(await page.getByRole("textbox", { name: "Body of the answer" }).inputValue());
  const { data } = await app.request("GET", `/api/estimations/${answer.data.estimation.id}`, { token: user.token });
  expect(data.estimation?.title).toBe(title);
  await page.getByText("201", { exact: true }).click();
  await page.getByText("Fields: data").click();
  await page.getByText("Fields: estimation").click();
  await page.getByText("ownerId").first().waitFor();
  await expectAccessible(page);
  await page.goto(`/docs#getEstimation`);
  const send = page.getByRole("button", { name: "Send request" });
  expect(await send.isDisabled()).toBe(true);
  await page.getByRole("textbox", { name: "id", exact: true }).fill("est_0");
  await send.click();
  await page.getByText(/^404 after/).waitFor();
});

test("who is not signed in reads all of it, and errors lead to their explanation", async () => {
  const page = await (await openBrowser(app, { viewport: { width: 320, height: 700 } })).newPage();
  await page.goto("/docs#getEstimation");
  expect(await page.getByRole("link", { name: "Sign in to try it" }).getAttribute("href")).toContain("getEstimation");
  await expectAccessible(page);
  await page.goto("/docs#nothing");
  await page.getByText("There is no such request.").waitFor();
  const { body } = await app.request("GET", "/api/estimations");
  const { hash } = new URL(String(body.docUrl));
  await page.goto(`/docs${hash}`);
  await page.waitForURL(`/docs/plain${hash}`);
  await page.locator(hash).getByText("Missing or invalid authorization header").waitFor();
});
