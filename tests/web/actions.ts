import type { Page } from "playwright-core";
import type { TestApp, TestUser } from "../harness.ts";

/** Imports an estimation as `user`, and returns its id. */
export async function importAs(app: TestApp, { token }: TestUser, content: string, format = "outline") {
  const { data, text } = await app.request("POST", "/api/estimations/import", { token, body: { format, content } });
  if (!data.estimation) throw new Error(text);
  return String(data.estimation.id);
}

/** Returns the lines of the outline of an estimation as the server has it. */
export async function storedOutline(app: TestApp, { token }: TestUser, id: string): Promise<string> {
  const { text } = await app.request("GET", `/api/estimations/${id}/export?format=markdown`, { token });
  return text.slice(text.indexOf("- "));
}

/** Waits until the editor says that everything is saved. */
export const saved = (page: Page): Promise<void> => page.getByText("Saved", { exact: true }).waitFor();

/** Clicks the button of this name. */
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click();

/** Presses keys, one after the other. */
export async function keys(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) await page.keyboard.press(name);
}
