import { limits } from "../../../contract/limits.ts";
import type { Response } from "../../harness.ts";
import type { Provocation, Provoking } from "./provoking.ts";

interface Threads {
  readonly estimation: string;
  readonly base: string;
  readonly main: string;
  /** A thread that changed the same as Main. */
  readonly other: string;
  /** Of merging it into Main. */
  readonly conflict: string;
}

type Send = (method: string, below: string, body?: object) => Promise<Response>;

export const threadErrors = ({ app, owner, asOwner }: Provoking) => {
  /** Calls below an estimation with two threads that changed the same; Main has an edit that no version has. */
  async function inThreads(provoke: (send: Send, threads: Threads) => Promise<Response>): Promise<Response> {
    const { data } = await asOwner("POST", "/api/estimations", { body: { title: "x" } });
    const estimation = String(data.estimation?.id);
    const send: Send = (method, below, body) => asOwner(method, `/api/estimations/${estimation}${below}`, { body });
    const base = String((await send("POST", "/versions")).data.version?.id);
    const other = String((await send("POST", "/threads", { title: "y", baseVersionId: base })).data.thread?.id);
    const main = String((await send("GET", "/threads")).data.threads?.[0]?.id);
    await send("POST", `/threads/${other}/switch`);
    await send("PUT", "", { title: "other" });
    await send("POST", `/threads/${main}/switch`);
    await send("PUT", "", { title: "main" });
    const { data: tried } = await send("POST", `/threads/${other}/merge`, { into: main, dryRun: true });
    return provoke(send, { estimation, base, main, other, conflict: String(tried.merge?.conflicts?.[0]?.id) });
  }

  /** Makes the next version of an estimation one too many. */
  const fillVersions = (estimation: string) =>
    app.pool.query("update versions set number = number + $2 where estimation_id = $1", [estimation, limits.versions]);

  const mergeConflict = () =>
    inThreads((send, { main, other }) => send("POST", `/threads/${other}/merge`, { into: main }));

  const threadNotOpen = () =>
    inThreads(async (send, { other }) => {
      await send("PATCH", `/threads/${other}`, { status: "closed" });
      return send("POST", `/threads/${other}/switch`);
    });

  const threadInUse = () => inThreads((send, { main }) => send("DELETE", `/threads/${main}`));

  return {
    merge_conflict: mergeConflict,
    thread_not_open: threadNotOpen,
    thread_in_use: threadInUse,
    "createThread limit_reached": () =>
      inThreads(async (send, { estimation, base }) => {
        await app.pool.query(
          `insert into threads select 'thr_' || left(md5($1 || n), 26), $1, 'x', null, null, 'open', false, now()
         from generate_series(1, $2::int) n`,
          [estimation, limits.threads],
        );
        return send("POST", "/threads", { title: "x", baseVersionId: base });
      }),
    "updateThread thread_in_use": () =>
      inThreads((send, { main }) => send("PATCH", `/threads/${main}`, { status: "closed" })),
    "deleteThread thread_in_use": threadInUse,
    "switchThread thread_not_open": threadNotOpen,
    "switchThread limit_reached": () =>
      inThreads(async (send, { estimation, other }) => {
        await fillVersions(estimation);
        return send("POST", `/threads/${other}/switch`);
      }),
    "mergeThread merge_conflict": mergeConflict,
    "mergeThread head_moved": () =>
      inThreads((send, { main, other }) =>
        send("POST", `/threads/${other}/merge`, { into: main, expectedHeads: { from: "none", into: "none" } }),
      ),
    "mergeThread thread_not_open": () =>
      inThreads(async (send, { main, other }) => {
        await send("PATCH", `/threads/${other}`, { status: "closed" });
        return send("POST", `/threads/${main}/merge`, { into: other });
      }),
    "mergeThread limit_reached": () =>
      inThreads(async (send, { estimation, main, other, conflict }) => {
        await fillVersions(estimation);
        const resolutions = [{ id: conflict, side: "from" }];
        return send("POST", `/threads/${other}/merge`, { into: main, resolutions });
      }),
    "undoMerge estimation_locked": () =>
      inThreads(async (send, { estimation, main, other, conflict }) => {
        const body = { into: main, resolutions: [{ id: conflict, side: "from" }] };
        const { merge } = (await send("POST", `/threads/${other}/merge`, body)).data;
        // An estimation without a tree cannot be submitted.
        await app.pool.query("update estimations set status = 'submitted' where id = $1", [estimation]);
        return send("POST", `/threads/${main}/undo-merge`, { versionId: merge?.version?.id });
      }),
    "undoMerge head_moved": () =>
      inThreads(async (send, { main, other, conflict }) => {
        const body = { into: main, resolutions: [{ id: conflict, side: "from" }] };
        const { merge } = (await send("POST", `/threads/${other}/merge`, body)).data;
        await send("PUT", "", { title: "later" });
        await send("POST", "/versions");
        return send("POST", `/threads/${main}/undo-merge`, { versionId: merge?.version?.id });
      }),
    "undoMerge limit_reached": () =>
      inThreads(async (send, { estimation, main, other, conflict }) => {
        const body = { into: main, resolutions: [{ id: conflict, side: "from" }] };
        const { merge } = (await send("POST", `/threads/${other}/merge`, body)).data;
        await send("PUT", "", { title: "later" });
        await fillVersions(estimation);
        return send("POST", `/threads/${main}/undo-merge`, { versionId: merge?.version?.id });
      }),
    "createThreadMessage limit_reached": () =>
      inThreads(async (send, { estimation, main }) => {
        await app.pool.query(
          `insert into thread_messages (id, estimation_id, thread_id, author_id, body, created_at)
         select 'msg_' || left(md5($1 || n), 26), $1, $2, $3, 'x', now() from generate_series(1, $4::int) n`,
          [estimation, main, owner.userId, limits.threadMessages],
        );
        return send("POST", `/threads/${main}/messages`, { body: "x" });
      }),
  } satisfies Record<string, Provocation>;
};
