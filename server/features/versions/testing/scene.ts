import { createHash } from "node:crypto";
import type { Version, VersionWithContent } from "../../../../contract/endpoints/versions.ts";
import { hashedText } from "../../../../domain/versions/canonical.ts";
import type { Snapshot } from "../../../../domain/versions/shape.ts";
import type { RequestOptions, Response, TestApp, TestUser } from "../../../../tests/harness.ts";

/** An estimation, and what a test does with it. */
export interface Scene {
  readonly id: string;
  readonly path: string;
  readonly owner: TestUser;
  send(method: string, below: string, options?: RequestOptions): Promise<Response>;
  /** Changes the title, so that the content is new. */
  rename(title: string): Promise<void>;
  /** Makes a version; throws if the request is refused. */
  pin(body?: object): Promise<Version>;
  read(versionId: string): Promise<VersionWithContent>;
  /** All versions, newest first. */
  list(): Promise<Version[]>;
}

const nodes = [
  {
    title: "Payment",
    kind: "single",
    options: [
      { title: "Card", hours: { optimistic: 4, likely: 8, pessimistic: 20 }, selected: true },
      { title: "Invoice", hours: 6 },
    ],
  },
];

/** Creates an estimation with a tree, of `user` or of a new one. */
export async function setScene(app: TestApp, user?: TestUser): Promise<Scene> {
  const owner = user ?? (await app.signUp());
  const { token } = owner;
  const created = await app.request("POST", "/api/estimations", {
    token,
    body: { title: "Shop", hourlyRate: 95.5, currency: "EUR" },
  });
  const id = String(created.data.estimation?.id);
  const path = `/api/estimations/${id}`;
  const send: Scene["send"] = (method, below, options) => app.request(method, path + below, { token, ...options });
  const expectSuccess = async (response: Promise<Response>) => {
    const { status, text, data } = await response;
    if (status >= 300) throw new Error(`${status}: ${text}`);
    return data;
  };
  await expectSuccess(send("PUT", "/tree", { body: { nodes } }));
  return {
    id,
    path,
    owner,
    send,
    rename: async (title) => void (await expectSuccess(send("PUT", "", { body: { title } }))),
    pin: async (body) => (await expectSuccess(send("POST", "/versions", { body }))).version as unknown as Version,
    read: async (versionId) =>
      (await expectSuccess(send("GET", `/versions/${versionId}`))).version as unknown as VersionWithContent,
    async list() {
      const versions: Version[] = [];
      for (let cursor = ""; ; ) {
        const data = await expectSuccess(send("GET", `/versions?limit=100${cursor}`));
        versions.push(...(data.versions as unknown as Version[]));
        if (!data.nextCursor) return versions;
        cursor = `&cursor=${data.nextCursor}`;
      }
    },
  };
}

/** Returns the hash of a version's content, computed anew. */
export function hashOf({ content }: VersionWithContent): string {
  // A part that did not come from a template has no origin in the hashed text.
  const hashed = JSON.parse(
    JSON.stringify(content, (name, value) => (name === "origin" ? (value ?? undefined) : value)),
  );
  const snapshot = hashed as Snapshot;
  return createHash("sha256").update(hashedText(snapshot)).digest("hex");
}
