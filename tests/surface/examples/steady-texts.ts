import { createHash } from "node:crypto";
import type { InstanceStatus } from "../../../contract/endpoints/admin.ts";
import { EXAMPLE_SECRET } from "../../../contract/values/delivery-headers.ts";
import type { World } from "../samples.ts";

interface Changing {
  readonly url: string;
  readonly world: World;
}

/** The moment at which all examples happen. The clock stands still. */
export const MOMENT = "2026-01-31T09:30:00.000Z";

const HASH = /\b[0-9a-f]{64}\b/g;
const ID = /\b([a-z]{2,4})_[0-9a-z]{26}\b/g;

/** What is random, by what it looks like, with what stands for it in the examples. */
const RANDOM: readonly (readonly [RegExp, string])[] = [
  [
    /eyJ[\w-]+\.[\w-]+\.[\w-]+/g,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c3JfMDFrNnowYzl2M2U4cmJ0NXcyeXE0bm0wMDAifQ.bm90LWEtcmVhbC1zaWduYXR1cmU",
  ],
  [/svc_live_[\w-]{44}/g, "svc_live_k3JqVw0rN8mYxT5uBzL2cE7hGfD4sA9pQ1oR6iKt-Z8X"],
  [/svc_live_[\w-]{3}(?=")/g, "svc_live_k3J"],
  [/whsec_[\w+/]{43}=/g, EXAMPLE_SECRET],
  [/v1,[\w+/]{43}=/g, "v1,Vp0pXDRrJ6hZ1cN5uW8yTq3kGs7bLm2aEo4fHd9iKxQ="],
  [/(?<="webhook-timestamp":")\d{10}/g, "1769851800"],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "noor"],
  // Of addresses that tests sign up with.
  [/\b[0-9a-f]{12}\b/g, "kim"],
  // The signature of a receipt.
  [/(?<=[0-9a-f]{64}-[\d.-]+\.)[\w-]{43}(?=")/g, "q3Zr0XyW5vT8uBnL2cE7hGfD4sA9pQ1oR6iKtM-Z8XY"],
  // The address of a page for a client.
  [
    /(?<=")http:[^"]*\/p\/[\w-]{43}(?=")/g,
    "https://estimates.example.com/p/q3Zr0XyW5vT8uBnL2cE7hGfD4sA9pQ1oR6iKtM-Z8XY",
  ],
  [/"[\w-]{43}"/g, '"q3Zr0XyW5vT8uBnL2cE7hGfD4sA9pQ1oR6iKtM-Z8XY"'],
];

/** Returns the status of an instance with some of its tables and limits, and numbers that do not depend on the machine. */
export function steadyStatus(data: object): object {
  const { status } = data as { readonly status: InstanceStatus };
  const { database, queues, limits, processes } = status;
  const tables = database.tables.filter(({ name }) => name === "estimations" || name === "versions");
  return {
    status: {
      ...status,
      startedAt: "2026-01-24T09:30:00.000Z",
      uptimeSeconds: 604_800,
      database: { bytes: 73_400_320, tables: tables.map(({ name }) => ({ name, bytes: 2_097_152 })) },
      queues: queues.slice(0, 1).map(({ kind }) => ({ kind, due: 3, ageSeconds: 2 })),
      lastMail: { at: "2026-01-31T09:29:00.000Z", fault: null },
      limits: limits.slice(0, 2),
      processes: processes.slice(0, 1).map((one) => ({ ...one, id: "3f9c2a1", connections: 5 })),
    },
  };
}

/**
 * Returns a function that replaces what differs from run to run in a JSON value: ids become ids that
 * count up, and random texts others of the same form. An id is replaced by the same one everywhere, so that examples agree with each other.
 */
export function steadyTexts({ url, world }: Changing): (value: unknown) => unknown {
  const known = new Map<string, string>();
  const hashes: string[] = [];
  name(JSON.stringify(world), known);
  return (value) => {
    const ids = new Map(known);
    const text = JSON.stringify(value).replaceAll(url, "http://127.0.0.1:3000");
    name(text, ids);
    const steady = RANDOM.reduce((steady, [pattern, stands]) => steady.replace(pattern, stands), text)
      .replace(ID, (id) => ids.get(id) ?? id)
      .replace(HASH, (hash) => hashOf(hash, hashes));
    return JSON.parse(steady);
  };
}

/** Returns a hash that stands for one of what contains ids: equal ones stay equal, and others differ. */
function hashOf(hash: string, seen: string[]): string {
  if (!seen.includes(hash)) seen.push(hash);
  return createHash("sha256")
    .update(String(seen.indexOf(hash)))
    .digest("hex");
}

/** Gives every id in `text` that has none yet an id for examples. */
function name(text: string, ids: Map<string, string>): void {
  for (const [id, prefix] of text.matchAll(ID)) {
    if (ids.has(id)) continue;
    const count = [...ids.keys()].filter((other) => other.startsWith(`${prefix}_`)).length;
    ids.set(id, `${prefix}_01k6z0c9v3e8rbt5w2yq4nm${String(count).padStart(3, "0")}`);
  }
}
