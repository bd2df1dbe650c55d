import type { threads } from "../../../contract/endpoints/threads.ts";
import type { EstimationRecords } from "./estimations.ts";
import type { Making, Samples } from "./noun.ts";
import type { VersionRecords } from "./versions.ts";

export interface ThreadRecords {
  /** The current thread. */
  readonly main: string;
  /** Another one, with a change of its own. */
  readonly thread: string;
  readonly message: string;
  /** A thread that Main was merged into, and the version that this made. */
  readonly mergedInto: string;
  readonly mergeVersion: string;
}

/** Leaves the estimation with content that no version has, and Main as the current thread. */
export async function makeThreads(
  { call }: Making,
  { estimation }: EstimationRecords,
  { version }: VersionRecords,
): Promise<ThreadRecords & VersionRecords> {
  const path = `/api/estimations/${estimation}`;
  const made = await call("POST", `${path}/threads`, { title: "MVP", baseVersionId: version });
  const thread = String(made.thread?.id);
  await call("POST", `${path}/threads/${thread}/switch`);
  await call("PUT", path, { clientName: "Nordlicht Outdoor AG" });
  const { tree } = await call("GET", `${path}/tree`);
  const nodes = tree?.nodes;
  await call("POST", `${path}/tree/options/${nodes?.[0]?.options?.[1]?.id}/deselect`);
  await call("PATCH", `${path}/tree/nodes/${nodes?.[1]?.id}`, { title: "Extras, in a second stage" });
  await call("POST", `${path}/versions`, { label: "First offer of the MVP" });
  const { threads } = await call("GET", `${path}/threads`);
  const main = String(threads?.[0]?.id);
  await call("POST", `${path}/threads/${main}/switch`);
  await call("PUT", path, { description: "A shop with sign-in, payment by card, and a searchable catalogue" });
  const clientB = await call("POST", `${path}/threads`, { title: "Client B", baseVersionId: version });
  const mergedInto = String(clientB.thread?.id);
  const { merge } = await call("POST", `${path}/threads/${main}/merge`, { into: mergedInto });
  await call("PUT", path, {
    description: "A shop with sign-in, payment by card or on account, and a searchable catalogue",
  });
  const body = { body: "Do we need payment on account in the MVP?", versionId: version };
  const messages = `${path}/threads/${thread}/messages`;
  const { message } = await call("POST", messages, body);
  await call("POST", messages, { body: "The client has asked for it twice." });
  for (const body of ["Is the catalogue still needed?", "Yes, by all of them."])
    await call("POST", `${path}/threads/${main}/messages`, { body });
  return { version, main, thread, message: String(message?.id), mergedInto, mergeVersion: String(merge?.version?.id) };
}

export const threadSamples: Samples<typeof threads> = {
  listThreads: ({ estimation }) => ({ params: { id: estimation } }),
  createThread: ({ estimation, version }) => ({
    params: { id: estimation },
    body: { title: "Client B", baseVersionId: version },
  }),
  getThread: ({ estimation, thread }) => ({ params: { id: estimation, threadId: thread } }),
  updateThread: ({ estimation, thread }) => ({
    params: { id: estimation, threadId: thread },
    body: { title: "MVP, as discussed in May" },
  }),
  deleteThread: ({ estimation, thread }) => ({ params: { id: estimation, threadId: thread } }),
  switchThread: ({ estimation, thread }) => ({ params: { id: estimation, threadId: thread } }),
  mergeThread: ({ estimation, thread, main }) => ({
    params: { id: estimation, threadId: thread },
    body: { into: main },
  }),
  undoMerge: ({ estimation, mergedInto, mergeVersion }) => ({
    params: { id: estimation, threadId: mergedInto },
    body: { versionId: mergeVersion },
  }),
  compareVersions: ({ estimation, thread }) => ({
    params: { id: estimation },
    query: { versions: [thread, "current"] },
  }),
  listOpenMessages: ({ estimation }) => ({ params: { id: estimation } }),
  listThreadMessages: ({ estimation, thread }) => ({ params: { id: estimation, threadId: thread } }),
  createThreadMessage: ({ estimation, thread, node }) => ({
    params: { id: estimation, threadId: thread },
    body: { body: "Could this wait for the second stage?", nodeId: node },
  }),
  updateThreadMessage: ({ estimation, thread, message }) => ({
    params: { id: estimation, threadId: thread, messageId: message },
    body: { resolved: true },
  }),
};
