import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserServer } from "playwright-core";
import { launchChromium } from "./support/chromium.ts";

/** Where to ask for the one browser of a run, and how to end it. */
interface OneBrowser {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts Chromium when the first test asks for it, and responds to every test with the address of the same one. */
export async function offerBrowser(): Promise<OneBrowser> {
  let browser: Promise<BrowserServer> | undefined;
  const server = createServer(async (_, response) => {
    browser ??= launchChromium();
    await browser.then(
      (started) => response.end(started.wsEndpoint()),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await (await browser?.catch(() => undefined))?.close();
    },
  };
}
