import { ApiError, type Client } from "../../../contract/client/client.ts";
import type { Command, Tools } from "../command.ts";
import { tell } from "../connect.ts";
import { type Base, type Draft, draftOf } from "../edit/draft.ts";
import { openEditor } from "../edit/editor.ts";
import { changedLines, mergeLines } from "../edit/merge-lines.ts";
import { type Edited, outlineOf, readOutline } from "../edit/outline.ts";
import { Failure, UsageError } from "../failure.ts";
import { findEstimation } from "../find.ts";
import { agrees, isAnswered } from "../prompt.ts";
import { difference, figure } from "../screen/figures.ts";
import { styled } from "../screen/style.ts";
import { clean, cleanAll } from "../screen/text.ts";

export const edit: Command = {
  takes: "ID",
  summary: "Edit an estimation as an outline in $VISUAL or $EDITOR",
  says: "It is stored when the editor is closed, unless somebody else has changed it meanwhile: then their changes are shown and merged into your outline, with marks where both have changed the same lines. What you typed stays in a file until it is stored.",
  calls: ["getEstimation", "getTree", "updateEstimation", "replaceTree"],
  flags: [
    { name: "resume", field: "resume", kind: "switch", says: "Goes on with what was typed and not stored" },
    { name: "discard", field: "discard", kind: "switch", says: "Throws that away, and begins anew" },
  ],
  examples: [
    ["estimate edit 'Web shop'", "opens the outline"],
    ["EDITOR='code --wait' estimate edit 'Web shop'", "in VS Code"],
    ["estimate edit 'Web shop' --resume", "goes on after a conflict, a fault or Ctrl-C"],
  ],
  async run([given = ""], { resume, discard }, tools) {
    if (resume && discard) throw new UsageError("--resume and --discard exclude each other");
    const { client } = tools.connect();
    const id = await findEstimation(client, given);
    const draft = draftOf(id);
    if (draft.exists() && !resume && !discard)
      throw new Failure(
        `there is an outline that was not stored: ${draft.file}\n  --resume goes on with it, --discard throws it away`,
        5,
      );
    if (resume && !draft.exists()) throw new UsageError("there is nothing to resume");
    if (!resume) {
      const base = await readBase(client, id);
      draft.write(outlineOf(base), base);
    }
    await editUntilStored(client, draft, tools);
  },
};

/** Reads estimation and tree as of one moment. Throws `Failure` where they cannot be changed. */
async function readBase(client: Client, id: string): Promise<Base> {
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const params = { id };
    const [{ data }, tree] = [await client.getEstimation({ params }), await client.getTree({ params })];
    const { estimation } = data;
    if (estimation.access !== "owner" && estimation.access !== "editor")
      throw new Failure(`you may not change it: your access is ${estimation.access}`, 3);
    if (estimation.status !== "draft")
      throw new Failure(`it is ${estimation.status}, and only a draft can be changed: reopen it first`, 5);
    if (revisionOf(tree.headers) === estimation.revision) return { estimation, tree: tree.data.tree };
  }
  throw new Failure(
    "it could not be read as of one moment: it changes all the time, or a proxy changes entity tags",
    5,
  );
}

/** The revision in an entity tag, which a proxy that compresses makes a weak one, or gives a suffix. */
const revisionOf = (headers: Headers) => Number(/^(?:W\/)?"(\d+)/.exec(headers.get("etag") ?? "")?.[1]);

async function editUntilStored(client: Client, draft: Draft, tools: Tools): Promise<void> {
  const { note, json, print, printJson, stop } = tools;
  for (;;) {
    try {
      await openEditor(draft.file, stop);
      if (!draft.exists()) throw new Failure("the editor deleted the outline: nothing was stored");
      const base = draft.readBase();
      const read = readOutline(draft.read(), base);
      if (!read.ok)
        throw new Failure(read.faults.map(({ line, message }) => `line ${line}: ${clean(message)}`).join("\n"));
      const { edited } = read;
      if (Object.keys(edited.settings).length === 0 && !edited.tree.differs) {
        draft.remove();
        return json ? printJson({ estimation: base.estimation }) : note("Nothing has changed.");
      }
      const estimation = await store(client, edited, base, draft);
      draft.remove();
      if (json) return printJson({ estimation });
      print(`Stored as revision ${estimation.revision}: ${summaryOf(edited)}.`);
      const change = estimation.hours.p80 - base.estimation.hours.p80;
      return print(`P80 ${figure(estimation.hours.p80)} hours${change === 0 ? "" : ` (${difference(change)})`}`);
    } catch (error) {
      const isConflict = error instanceof ApiError && error.status === 412;
      const refusal = isConflict ? await mergeOthers(client, draft, tools).catch((other: unknown) => other) : error;
      if (!(await triesAgain(refusal, draft, tools))) throw refusal;
    }
  }
}

/** Stores settings and tree, each only if nobody else has changed the estimation. */
async function store(client: Client, { settings, tree }: Edited, base: Base, draft: Draft) {
  const params = { id: base.estimation.id };
  const ifMatch = (revision: number) => ({ "if-match": `"${revision}"` });
  let { estimation } = base;
  if (Object.keys(settings).length > 0) {
    const headers = ifMatch(estimation.revision);
    estimation = (await client.updateEstimation({ params, body: settings, headers })).data.estimation;
    // What is left is the tree: if it is refused, going on does not compare with what was before the settings.
    draft.write(draft.read(), { ...base, estimation });
  }
  if (tree.differs) {
    await client.replaceTree({ params, body: { nodes: tree.nodes }, headers: ifMatch(estimation.revision) });
    estimation = (await client.getEstimation({ params })).data.estimation;
  }
  return estimation;
}

/** Says the numbers of what changed; titles where they are few. */
function summaryOf({ settings, tree }: Edited): string {
  const { added, removed, changed } = cleanAll(tree);
  const parts = Object.entries({ added, removed, changed }).flatMap(([name, titles]) =>
    titles.length === 0 ? [] : [`${titles.length} ${name}${titles.length <= 3 ? ` (${titles.join(", ")})` : ""}`],
  );
  return [...parts, ...Object.keys(settings)].join(", ");
}

/** Shows what others have changed and merges it into the draft. Returns what to tell the person. */
async function mergeOthers(client: Client, draft: Draft, { note }: Tools): Promise<Failure> {
  const before = draft.readBase();
  const now = await readBase(client, before.estimation.id);
  const [was, is] = [outlineOf(before), outlineOf(now)];
  const lines = changedLines(was, is);
  note(`Somebody else has changed it meanwhile, up to revision ${now.estimation.revision}:`);
  const [added, removed] = [styled("green", process.stderr), styled("red", process.stderr)];
  for (const line of lines) console.error(line.startsWith("+") ? added(clean(line)) : removed(clean(line)));
  if (lines.length === 0) note("  nothing that an outline shows");
  const { text, conflicts } = mergeLines(was, draft.read(), is);
  draft.write(text, now);
  return new Failure(
    conflicts === 0
      ? "their changes are in your outline now, which was not stored yet"
      : `${conflicts === 1 ? "one place has" : `${conflicts} places have`} both changes in your outline, between <<<<<<< and >>>>>>>: keep what is right`,
    5,
  );
}

/** Says where the outline is, and asks whether to open it again. What cannot be mended by editing is not asked about. */
async function triesAgain(error: unknown, draft: Draft, { note, stop: { signal } }: Tools): Promise<boolean> {
  if (!draft.exists()) {
    draft.remove();
    return false;
  }
  const kept = `Your outline is kept in ${draft.file}: --resume goes on with it.`;
  const isMendable = (error instanceof Failure && error.exitCode !== 130 && error.exitCode !== 6) || isRefusal(error);
  if (!isMendable || !isAnswered()) {
    if (draft.read() === outlineOf(draft.readBase())) draft.remove();
    else note(kept);
    return false;
  }
  for (const line of tell(error).lines) note(line);
  if (await agrees("Open the editor again?", signal).catch(() => false)) return true;
  note(kept);
  return false;
}

const isRefusal = (error: unknown) => error instanceof ApiError && (error.status === 400 || error.status === 409);
