import type { Page } from "playwright-core";

const LABEL = `(() => {
  const { activeElement: at } = document;
  return at.getAttribute("aria-label") ?? at.closest("label")?.innerText ?? at.innerText;
})()`;

/** Moves the focus on by the keyboard, from the end of the page to its beginning, until it is at what has this name. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press("Tab");
    const label = await page.evaluate<string | null>(LABEL);
    if (label?.split("\n")[0]?.trim() === name) return;
  }
  throw new Error(`the keyboard does not reach ${name}`);
}
