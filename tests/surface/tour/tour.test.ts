import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { Stopped } from "../../../tour/failure.ts";
import { asMarkdown, writtenTour } from "../../../tour/page.ts";
import type { Scene } from "../../../tour/stage.ts";
import { playTour } from "../../../tour/tour.ts";
import { start, until } from "../../harness.ts";
import { type Program, runProgram } from "../../support/program.ts";
import { stable } from "./stable.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const app = await start({ worker: true });
const { dataDir } = app.services.config;

/** What the tour could leave behind. */
async function left() {
  const { rows } = await app.pool.query(`select
    (select count(*)::int from webhooks where deleted_at is null) as webhooks,
    (select count(*)::int from estimations where deleted_at is null) as estimations,
    (select count(*)::int from api_keys where revoked_at is null) as keys`);
  return { ...rows[0], trusts: existsSync(join(dataDir, "trusted-ca")) };
}
const NOTHING = { webhooks: 0, estimations: 0, keys: 0, trusts: false };

test("the tour runs as its page describes, request for request and response for response, and leaves no data", async () => {
  const scenes: Scene[] = [];
  await playTour({ baseUrl: app.url, dataDir, clock: app.clock, tell: (scene) => scenes.push(scene) });
  expect(stable(writtenTour()).split("\n")).toEqual(stable(asMarkdown(scenes)).split("\n"));
  expect(await left()).toEqual(NOTHING);
});

const STEPS = (writtenTour().match(/^\*\*\d+\. /gm) ?? []).length;

test.each(Array.from({ length: STEPS - 1 }, (_, at) => at + 1))(
  "a tour that is stopped after step %i leaves no data",
  async (step) => {
    const stopping = new AbortController();
    let told = 0;
    const tell = () => {
      told += 1;
      if (told === step) stopping.abort();
    };
    const playing = playTour({ baseUrl: app.url, dataDir, clock: app.clock, tell, signal: stopping.signal });
    await expect(playing).rejects.toThrow(Stopped);
    expect(told).toBe(step);
    expect(await left()).toEqual(NOTHING);
  },
);

describe("the page's commands, as they stand", () => {
  const blocks = [...readFileSync(join(root, "docs/tour.md"), "utf8").matchAll(/```(\w+)\n([\s\S]+?)\n```/g)].map(
    ([, language = "", text = ""]) => ({ language, text }),
  );

  test("print in a shell what the page shows below them", async () => {
    const shell = runProgram(["bash"], { cwd: root });
    let listener: Program | undefined;
    let output = "";
    let [shown, received] = [0, 0];
    const type = async (commands: string) => {
      const from = shell.printed.out.length;
      shell.write(`${commands}\nprintf '\\n%s\\n' end-of-$((1 + 1))\n`);
      await until(() => shell.printed.out.includes("\nend-of-2\n", from));
      expect(shell.printed.err).toBe("");
      return shell.printed.out.slice(from).replace("\nend-of-2\n", "");
    };
    for (const { language, text } of blocks) {
      if (text === "npm run listen") {
        const program = join(root, "tour/listen.ts");
        listener = runProgram([process.execPath, program, "--port", "0"], { env: { DATA_DIR: dataDir } });
        const [, address = ""] = await listener.shows(/Receiving webhooks at (\S+)/);
        await type(`HOOK=${address}`);
      } else if (language === "bash") {
        output = await type(text.replace("http://127.0.0.1:3000", app.url));
        if (text.includes("SECRET=")) {
          listener?.write(await type("echo $SECRET"));
          await listener?.shows(/Verifying with 1 secret/);
        }
      } else if (language === "http") {
        expect(stable(output.trim()).split("\n")).toEqual(stable(text).split("\n"));
        shown += 1;
      } else {
        received += 1;
        const out = await until(() => {
          const parts = (listener?.printed.out ?? "").split(/^(?=POST )/m).slice(1);
          return parts.length >= received && parts[received - 1]?.includes("signatures")
            ? parts[received - 1]
            : undefined;
        });
        expect(stable(out.trim()).split("\n")).toEqual(stable(text).split("\n"));
        // The log shows a delivery as delivered once its response is stored.
        await until(async () => {
          const { rows } = await app.pool.query("select from webhook_deliveries where status <> 'delivered'");
          return rows.length === 0;
        });
      }
    }
    expect([shown, received]).toEqual([STEPS, 2]);
    listener?.send("SIGINT");
    expect(await listener?.ended).toBe(0);
    expect(existsSync(join(dataDir, "trusted-ca"))).toBe(false);
    await type("rm $RESPONSE");
  });
});
