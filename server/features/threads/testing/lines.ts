import type { Merge, Thread } from "../../../../contract/endpoints/threads.ts";
import type { Node, Option } from "../../../../contract/values/tree.ts";
import type { Response, TestApp, TestUser } from "../../../../tests/harness.ts";
import { type Scene, setScene } from "../../versions/testing/scene.ts";

/** An estimation with one version, and what a test does with its threads. */
export interface Lines extends Scene {
  readonly base: string;
  readonly main: string;
  /** Begins a thread with a version, by default the first one. */
  fork(title: string, baseVersionId?: string): Promise<Thread>;
  switchTo(threadId: string): Promise<Response>;
  merge(threadId: string, body: object): Promise<Response>;
  /** Merges without storing anything. */
  tryMerge(threadId: string, into: string): Promise<Merge>;
  threads(): Promise<Thread[]>;
  nodes(): Promise<Node[]>;
  /** The option with this title. */
  option(title: string): Promise<Option>;
  edit(title: string, changes: object): Promise<void>;
}

/** Creates an estimation with a tree and a version. */
export async function setLines(app: TestApp, user?: TestUser): Promise<Lines> {
  const scene = await setScene(app, user);
  const { send } = scene;
  const succeed = async (response: Promise<Response>) => {
    const { status, data, text } = await response;
    if (status >= 300) throw new Error(`${status}: ${text}`);
    return data;
  };
  const base = (await scene.pin()).id;
  const threads = async () => (await succeed(send("GET", "/threads"))).threads as unknown as Thread[];
  const nodes = async () => (await succeed(send("GET", "/tree"))).tree?.nodes as unknown as Node[];
  const option = async (title: string) => {
    const found = (await nodes()).flatMap(({ options }) => options).find((one) => one.title === title);
    if (!found) throw new Error(`there is no option ${title}`);
    return found;
  };
  const merge = (threadId: string, body: object) => send("POST", `/threads/${threadId}/merge`, { body });
  return {
    ...scene,
    base,
    main: String((await threads())[0]?.id),
    fork: async (title, baseVersionId = base) =>
      (await succeed(send("POST", "/threads", { body: { title, baseVersionId } }))).thread as unknown as Thread,
    switchTo: (threadId) => send("POST", `/threads/${threadId}/switch`),
    merge,
    tryMerge: async (threadId, into) =>
      (await succeed(merge(threadId, { into, dryRun: true }))).merge as unknown as Merge,
    threads,
    nodes,
    option,
    edit: async (title, changes) =>
      void (await succeed(send("PATCH", `/tree/options/${(await option(title)).id}`, { body: changes }))),
  };
}
