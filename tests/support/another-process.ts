import { join } from "node:path";
import { readSecrets } from "../../server/services/secrets.ts";
import type { TestApp } from "../harness.ts";
import { runService, type ServiceProcess } from "./service-process.ts";

/** Starts a second process on the app's database, and returns its address. Only the database orders the writes of both. */
export const startAnother = async (app: TestApp): Promise<string> => (await runAnother(app, ["serve"])).url();

/** Runs `main.js` with these arguments and settings on the app's database. */
export async function runAnother(
  { connection, services: { config } }: TestApp,
  args: string[],
  environment: Record<string, string> = {},
): Promise<ServiceProcess> {
  const { host, port, user, password, database } = connection;
  const { SESSION_SECRET, ENCRYPTION_KEY } = await readSecrets(config);
  const text = (secret: Uint8Array) => Buffer.from(secret).toString("base64url");
  return runService(args, {
    DATABASE_URL: `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    SESSION_SECRET: text(SESSION_SECRET.key),
    ENCRYPTION_KEY: text(ENCRYPTION_KEY.key),
    DATA_DIR: join(config.dataDir, "another"),
    RATE_LIMIT_PER_MINUTE: "1000000",
    ...environment,
  });
}
