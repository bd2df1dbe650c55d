import type { Page } from "playwright-core";

const LABEL = `(() => {
  const { activeElement: at } = document;
  return at.getAttribute("aria-label") ?? at.closest("label")?.innerText ?? at.innerText;
})()`;

/** Moves the focus with the Tab key, after the end of the page from its beginning, until it is on the element with this name. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press("Tab");
    const label = await page.evaluate<string | null>(LABEL);
    if (label?.split("\n")[0]?.trim() === name) return;
  }
  throw new Error(`the keyboard does not reach ${name}`);
}
