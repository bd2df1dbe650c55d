import { createClient } from "../../contract/client/client.ts";
import { median } from "../database.ts";
import { processorMs } from "../processor-time.ts";

/** What two pieces of work take, in milliseconds. */
export interface Comparison {
  readonly many: number;
  readonly few: number;
  readonly ratio: number;
}

/** The lower quartiles of the milliseconds that both take, in turns: what else the machine does lengthens the others. */
export async function compare(
  rounds: number,
  many: () => Promise<unknown>,
  few: () => Promise<unknown>,
): Promise<Comparison> {
  const times = { many: [] as number[], few: [] as number[] };
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  for (let round = -20; round < rounds; round += 1) {
    const [first, second] = [await timed(many), await timed(few)];
    // The first rounds are for caches and compilers.
    if (round < 0) continue;
    times.many.push(first);
    times.few.push(second);
  }
  const [ofMany, ofFew] = [quartile(times.many), quartile(times.few)];
  return { many: ofMany, few: ofFew, ratio: ofMany / ofFew };
}

/** The milliseconds of processor time that connection `pid` takes for both, in turns. */
export async function compareWork(
  rounds: number,
  pid: number,
  many: () => Promise<unknown>,
  few: () => Promise<unknown>,
): Promise<Comparison> {
  const measure = async (work: () => Promise<unknown>) => {
    const before = processorMs(pid);
    for (let time = 0; time < rounds; time += 1) await work();
    return (processorMs(pid) - before) / rounds;
  };
  const [ofMany, ofFew]: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round += 1) {
    const [first, second] = [await measure(many), await measure(few)];
    if (round < 0) continue;
    ofMany.push(first);
    ofFew.push(second);
  }
  return { many: median(ofMany), few: median(ofFew), ratio: median(ofMany) / median(ofFew) };
}

function quartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 2] ?? 0;
}

export const shown = ({ many, few, ratio }: Comparison): string =>
  `${many.toFixed(2).padStart(7)} / ${few.toFixed(2).padStart(6)} = ${ratio.toFixed(2).padStart(5)}`;

export interface User {
  readonly id: string;
  readonly key: string;
}

/** Makes a user with an API key that reads estimations. */
export async function signUp(url: string): Promise<User> {
  let token: string | null = null;
  const client = createClient(url, () => token);
  const { data } = await client.registerUser({
    body: { email: `${crypto.randomUUID()}@example.com`, password: "correct horse battery" },
  });
  token = data.token;
  const key = await client.createApiKey({ body: { name: "bench", scopes: ["estimations:read"] } });
  return { id: data.user.id, key: key.data.plaintext };
}
