import { type ComponentType, lazy } from "react";

/** How long a page has for showing itself before it asks for what others do, in milliseconds. */
const FIRST_MS = 2_000;

const shown = new Promise<void>((resolve) => setTimeout(resolve, FIRST_MS));

const connected = () =>
  navigator.onLine ? undefined : new Promise((resolve) => addEventListener("online", resolve, { once: true }));

/** Waits until the page has had time to show what was asked for, and there is a connection. */
export async function whenShown(): Promise<void> {
  await shown;
  await connected();
}

/** A component whose code is loaded once the page has had time to show what was asked for, and there is a connection. */
export const later = <P>(load: () => Promise<ComponentType<P>>) =>
  lazy(async () => {
    await whenShown();
    return { default: await load() };
  });
