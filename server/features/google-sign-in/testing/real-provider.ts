import { afterAll } from "vitest";
import { openProvider, type ProviderOptions, type RealProvider } from "./provider.ts";

/** Starts a provider with one client; it is stopped after the file's last test. */
export async function startProvider(options: ProviderOptions): Promise<RealProvider> {
  const provider = await openProvider(options);
  afterAll(() => provider.close());
  return provider;
}
