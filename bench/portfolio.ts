/**
 * `node bench/portfolio.ts`: adding up 500 estimations beside reading five pages of the list with 100 each, with real requests.
 * Prints the medians of 30 rounds, in which both take turns, and their ratio. Exits with 1 if adding up takes longer.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limits } from "../contract/limits.ts";
import { startService } from "./hostile/service.ts";
import { median } from "./timing.ts";

const ROUNDS = 30;
const PAGES = limits.portfolioEstimations / limits.pageSizeMax;

const dataDir = await mkdtemp(join(tmpdir(), "bench-portfolio-"));
const service = await startService({ DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: "1000000" }, {});
let token = "";

interface Response {
  readonly data: {
    readonly token: string;
    readonly nextCursor: string | null;
    readonly portfolio: { readonly count: number };
  };
}

async function send(method: string, path: string, body?: object): Promise<Response["data"]> {
  const response = await fetch(`${service.url}/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return ((await response.json()) as Response).data;
}

async function readPages(): Promise<void> {
  let cursor = "";
  for (let page = 0; page < PAGES; page += 1) {
    const { nextCursor } = await send("GET", `estimations?limit=${limits.pageSizeMax}${cursor}`);
    cursor = `&cursor=${encodeURIComponent(nextCursor ?? "")}`;
  }
}

async function addUp(): Promise<void> {
  const { portfolio } = await send("GET", "portfolio");
  if (portfolio.count !== limits.portfolioEstimations) throw new Error(`${portfolio.count} were added up`);
}

try {
  ({ token } = await send("POST", "auth/register", { email: "bench@example.com", password: "correct horse battery" }));
  const content = "# Shop\n\n- Scope\n  - Cart: 4-16-34\n  - Search: 8\n";
  for (let made = 0; made < limits.portfolioEstimations; made += 1)
    await send("POST", "estimations/import", { format: "outline", content });
  const took = { pages: [] as number[], sum: [] as number[] };
  const timedMs = async (work: () => Promise<void>) => {
    const begin = performance.now();
    await work();
    return performance.now() - begin;
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    took.pages.push(await timedMs(readPages));
    took.sum.push(await timedMs(addUp));
  }
  const [pages, sum] = [median(took.pages), median(took.sum)];
  const ratio = (sum / pages).toFixed(2);
  console.log(
    `five pages of the list: ${pages.toFixed(1)} ms, their sum: ${sum.toFixed(1)} ms, ratio ${ratio} (at most 1)`,
  );
  if (sum > pages) process.exitCode = 1;
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
