import { expect, test } from "vitest";
import { start, type TestUser, until } from "../harness.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

async function importAs({ token }: TestUser, content: string): Promise<string> {
  const body = { format: "outline", content };
  const { data, text } = await app.request("POST", "/api/estimations/import", { token, body });
  if (!data.estimation) throw new Error(text);
  return String(data.estimation.id);
}

const UNDECIDED = `# Shop

- Scope
  - Payment: 3
    - Way (choose one, required)
      - [ ] Card: 4-16-34
      - [ ] Invoice: 6
`;

test("what keeps it from being submitted is listed with links, and each state says what it allows", async () => {
  const user = await app.signUp();
  const id = await importAs(user, UNDECIDED);
  const path = `/api/estimations/${id}`;
  const page = await openSignedIn(await openBrowser(app), user, `/estimations/${id}`);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const row = (name: string) => page.getByRole("row", { name });
  await row("Payment").getByRole("gridcell").first().focus();
  await page.keyboard.press("ArrowLeft");
  await until(async () => (await row("Way").count()) === 0);
  await press("Submit");
  await page.getByText("Before it can be submitted, 1 thing has to be mended:").waitFor();
  await expectAccessible(page);
  // The link opens what is closed, and puts the focus there.
  await page.getByRole("link", { name: "Way" }).focus();
  await page.keyboard.press("Enter");
  await until(async () => /^Way/.test(await page.evaluate("document.activeElement.innerText")));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.getByText("Nothing is missing any more").waitFor();
  // What was just chosen is saved before it is submitted.
  await press("Submit");
  await page.getByText("It is submitted: the tree can be read, not changed.").waitFor();
  expect(await page.getByRole("treegrid").getAttribute("aria-readonly")).toBe("true");
  expect(await page.getByText("Nothing is missing any more").count()).toBe(0);
  const { data } = await app.request("GET", path, { token: user.token });
  expect(data.estimation).toMatchObject({ status: "submitted", hours: { expected: 20 } });
  await press("More about the state");
  await page.getByRole("menuitem", { name: "Mark tasks as generated" }).click();
  await page.getByText("Its tasks are generated: the tree can be read").waitFor();
  await press("Reopen");
  await page.getByText("Saved", { exact: true }).waitFor();
  // Somebody else changes it: what is submitted is never what was not seen.
  await app.request("PATCH", path, { token: user.token, body: { clientName: "Nordlicht" } });
  await press("Submit");
  await page.getByRole("alert").getByText("Somebody else changed it meanwhile.").waitFor();
  await page.getByText("Nordlicht").waitFor();
  await press("Submit");
  await page.getByText("It is submitted").waitFor();
  await app.request("POST", `${path}/reopen`, { token: user.token });
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await page.getByRole("button", { name: "Submit" }).waitFor();
  expect(await page.getByRole("treegrid").getAttribute("aria-readonly")).toBe("false");
  expect(await page.getByText("Somebody else changed it at the same time").count()).toBe(0);
});

test("the link in a mail about a review leads to what was asked and decided", async () => {
  const [owner, reviewer] = [await app.signUp(), await app.signUp()];
  const id = await importAs(owner, "# Reviewed\n\n- Scope\n  - Cart: 8\n");
  const body = { reviewerEmail: reviewer.email, note: "Is the cart too cheap?" };
  const { data } = await app.request("POST", `/api/estimations/${id}/reviews`, { token: owner.token, body });
  const path = `/estimations/${id}/reviews/${data.review?.id}`;
  await app.request("POST", `/api${path}/approve`, { token: reviewer.token });
  const page = await openSignedIn(await openBrowser(app), reviewer, path);
  await page.getByRole("heading", { name: "Reviewed" }).waitFor();
  await page.getByText("Is the cart too cheap?").waitFor();
  await page.getByText("Approved", { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Open the estimation" }).click();
  await page.getByText("You can read this estimation, but not change it.").waitFor();
  expect(await page.getByRole("button", { name: "Submit" }).count()).toBe(0);
});
