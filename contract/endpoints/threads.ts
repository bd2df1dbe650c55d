import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import {
  AnyOf,
  Change,
  component,
  Hours,
  Id,
  NextCursor,
  Nullable,
  OneOf,
  paging,
  Shape,
  Text,
  Timestamp,
  Title,
} from "../shapes.ts";
import { comparedRows, comparison, comparisonQuery } from "../values/comparisons.ts";
import { conflicts, mergeSides } from "../values/merge-conflicts.ts";
import { additionsTwice } from "../values/merge-hints.ts";
import { Estimation } from "./estimations.ts";
import { Author, DiffOperation, Version } from "./versions.ts";

export const threadStatuses = ["open", "closed", "merged"] as const;
export type ThreadStatus = (typeof threadStatuses)[number];

export const Thread = component(
  "Thread",
  Shape({
    id: Id("thread"),
    title: Title(limits.titleLength),
    status: OneOf(threadStatuses, {
      description: "`closed`: put aside. `merged`: merged into another one. Only an open thread can be worked on",
    }),
    main: Type.Boolean({ description: "Whether it is the thread that every estimation begins with" }),
    current: Type.Boolean({ description: "Whether the content of the estimation belongs to it" }),
    baseVersionId: Nullable(Id("version", "The version that it began with; null for the first thread")),
    headVersionId: Nullable(Id("version", "Its latest version; null if the estimation has none")),
    hours: Nullable(
      Type.Unsafe<Estimation["hours"]>({ ...Estimation.schema.properties.hours, description: "Of its latest version" }),
    ),
    createdAt: Timestamp,
  }),
);
export type Thread = Static<typeof Thread.schema>;

export const ThreadMessage = component(
  "ThreadMessage",
  Shape({
    id: Id("message"),
    threadId: Id("thread"),
    author: Author,
    body: Type.String(),
    versionId: Nullable(Id("version", "The version that it is about")),
    nodeId: Nullable(Id("node", "The node that it is about")),
    optionId: Nullable(Id("option", "The option that it is about")),
    resolvedAt: Nullable(Timestamp),
    resolvedBy: Nullable(Author),
    createdAt: Timestamp,
  }),
);
export type ThreadMessage = Static<typeof ThreadMessage.schema>;

const affected =
  "How many tasks the next generation would add, change, remove or make obsolete; 0 where there are no tasks. Tasks belong to the estimation and not to a thread";

const reading = { anyOf: ["estimations:read", "estimations:write"] } as const;
const writing = "estimations:write";
const one = Shape({ thread: Thread.ref });
const oneMessage = Shape({ message: ThreadMessage.ref });
const ReferenceId = (description: string) => Type.String({ maxLength: limits.refLength, description });

const Resolution = Shape({
  id: Type.String({ maxLength: limits.refLength, description: "Of the conflict" }),
  side: Type.Optional(OneOf(mergeSides, { description: "Takes the value of this side" })),
  value: Type.Optional(
    Type.Unknown({ description: "Only for `changed`: a value that differs from both sides, of the same type" }),
  ),
});

const Merge = component(
  "Merge",
  Shape({
    from: Thread.ref,
    into: Thread.ref,
    version: Type.Optional(Version.ref),
    expected: Shape(
      { before: Hours(), after: Hours() },
      { description: "Expected hours of the thread that is merged into, before and after" },
    ),
    p80: Shape({ before: Hours(), after: Hours() }, { description: "Its P80, before and after" }),
    tasksAffected: Nullable(
      Type.Integer({ minimum: 0, description: `${affected}. Null unless it is merged into the current thread` }),
    ),
    operations: Type.Optional(
      Type.Array(DiffOperation.ref, { description: "Only in a dry run: what the merge would change" }),
    ),
    conflicts: Type.Optional(conflicts),
    addedTwice: Type.Optional(additionsTwice),
    unusedResolutions: Type.Array(Type.String(), {
      description: "Ids of resolutions that decided nothing, because other resolutions had settled their conflicts",
    }),
  }),
);
export type Merge = Static<typeof Merge.schema>;

export const threads = endpoints({
  listThreads: {
    method: "GET",
    path: "/api/estimations/:id/threads",
    summary: "List the threads of an estimation: its lines of versions, Main first",
    access: reading,
    right: "read",
    query: Shape({
      status: AnyOf(OneOf(threadStatuses), threadStatuses.length, "Only those with one of these statuses"),
      ...paging(limits.pageSizeInside),
    }),
    response: { status: 200, data: Shape({ threads: Type.Array(Thread.ref), nextCursor: NextCursor }) },
  },
  createThread: {
    method: "POST",
    path: "/api/estimations/:id/threads",
    summary: "Begin a thread with any version",
    description: "The content of the estimation stays as it is; switch to the thread to work on it.",
    access: writing,
    right: "edit",
    body: Shape({ title: Title(limits.titleLength), baseVersionId: ReferenceId("The version to begin with") }),
    response: { status: 201, created: "/api/estimations/:id/threads/:threadId", data: one },
    errors: ["limit_reached"],
    ifMatch: true,
    activity: "thread.forked",
  },
  getThread: {
    method: "GET",
    path: "/api/estimations/:id/threads/:threadId",
    summary: "Read a thread",
    access: reading,
    right: "read",
    response: { status: 200, data: one },
  },
  updateThread: {
    method: "PATCH",
    path: "/api/estimations/:id/threads/:threadId",
    summary: "Rename, close or open a thread",
    description: "Main and the current thread cannot be closed.",
    access: writing,
    right: "edit",
    body: Change(
      {
        title: Title(limits.titleLength),
        status: OneOf(threadStatuses, {
          description:
            "`open` reopens a closed or merged thread. `merged` is accepted only if the thread has that status already: only a merge sets it",
        }),
      },
      { matching: ["id", "main", "baseVersionId"], derived: ["current", "headVersionId", "hours", "createdAt"] },
    ),
    response: { status: 200, data: one },
    errors: ["thread_in_use"],
    ifMatch: true,
    activity: "thread.edited",
  },
  deleteThread: {
    method: "DELETE",
    path: "/api/estimations/:id/threads/:threadId",
    summary: "Delete a thread with its messages; its versions stay",
    description: "Main and the current thread cannot be deleted.",
    access: writing,
    right: "edit",
    response: { status: 200, data: one },
    errors: ["thread_in_use"],
    ifMatch: true,
    activity: "thread.edited",
  },
  switchThread: {
    method: "POST",
    path: "/api/estimations/:id/threads/:threadId/switch",
    summary: "Make a thread the current one: its latest version becomes the content of the estimation",
    description:
      "Content that is in no version yet is stored as one of the thread that is left, `keptVersion`. Tags and tasks stay as they are; generate the tasks again to follow the tree.",
    access: writing,
    right: "edit",
    response: {
      status: 200,
      data: Shape({
        thread: Thread.ref,
        estimation: Estimation.ref,
        keptVersion: Type.Optional(Version.ref),
        tasksAffected: Type.Integer({ minimum: 0, description: affected }),
      }),
    },
    errors: ["thread_not_open", "limit_reached"],
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "thread.switched",
  },
  mergeThread: {
    method: "POST",
    path: "/api/estimations/:id/threads/:threadId/merge",
    summary: "Merge the changes of a thread into another one",
    description:
      "Compares both heads with their nearest common ancestor, unit by unit; content of the current thread that is in no version yet is stored as one first. Conflicts cause 409 and change nothing, until `resolutions` decides each of them. With `dryRun` the response shows what would change, or the conflicts, and nothing is stored. Merging into the current thread changes the content of the estimation. The merged thread is then `merged`, unless it is Main or the current one.",
    access: writing,
    right: "edit",
    body: Shape({
      into: ReferenceId("The thread that gets the changes"),
      expectedHeads: Type.Optional(
        Shape(
          { from: ReferenceId("Of the merged thread"), into: ReferenceId("Of the thread that gets the changes") },
          {
            description:
              "The latest versions that the caller knows; if they have changed, the request is refused with `head_moved`",
          },
        ),
      ),
      resolutions: Type.Optional(
        Type.Array(Resolution, { maxItems: limits.mergeResolutions, description: "How conflicts are decided" }),
      ),
      otherwise: Type.Optional(
        OneOf(mergeSides, {
          description:
            "The side that decides every conflict that no resolution names. Resolutions that name no conflict are then refused",
        }),
      ),
      dryRun: Type.Optional(
        Type.Boolean({ default: false, description: "Return what would change, and store nothing" }),
      ),
    }),
    response: { status: 200, data: Shape({ merge: Merge.ref, estimation: Estimation.ref }) },
    errors: ["merge_conflict", "head_moved", "thread_not_open", "limit_reached"],
    bodyValues: 30_000,
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "thread.merged",
  },
  undoMerge: {
    method: "POST",
    path: "/api/estimations/:id/threads/:threadId/undo-merge",
    summary: "Undo the merge that made the latest version of a thread",
    description:
      "The head of the thread is then the version before the merge again, and merged threads whose head it merged are open, so that they can be merged again. No version is lost: that of the merge stays in the list, and content of the current thread that is in no version yet is stored as one first, `keptVersion`. Undoing a merge into the current thread changes the content of the estimation; tags and tasks stay as they are.",
    access: writing,
    right: "edit",
    body: Shape({
      versionId: ReferenceId(
        "The version that the merge made. If it is not the head of the thread, the request is refused with `head_moved`",
      ),
    }),
    response: {
      status: 200,
      data: Shape({
        thread: Thread.ref,
        reopened: Type.Array(Thread.ref, { description: "The merged threads that are open again" }),
        estimation: Estimation.ref,
        keptVersion: Type.Optional(Version.ref),
        tasksAffected: Nullable(
          Type.Integer({ minimum: 0, description: `${affected}. Null unless the thread is the current one` }),
        ),
      }),
    },
    // Only where the thread is the current one.
    errors: ["estimation_locked", "head_moved", "limit_reached"],
    etag: true,
    ifMatch: true,
    activity: "thread.merge_undone",
  },
  compareVersions: {
    method: "GET",
    path: "/api/estimations/:id/compare",
    tool: {},
    summary: "Compare versions side by side, with a row for each node that differs",
    access: "estimations:read",
    right: "read",
    query: comparisonQuery,
    response: { status: 200, data: Shape({ comparison, rows: comparedRows, nextCursor: NextCursor }) },
  },
  listOpenMessages: {
    method: "GET",
    path: "/api/estimations/:id/messages",
    summary: "List the messages of the current thread that are not resolved, newest first",
    access: reading,
    right: "read",
    query: Shape(paging(limits.pageSizeInside)),
    response: { status: 200, data: Shape({ messages: Type.Array(ThreadMessage.ref), nextCursor: NextCursor }) },
  },
  listThreadMessages: {
    method: "GET",
    path: "/api/estimations/:id/threads/:threadId/messages",
    summary: "List the messages of a thread, newest first",
    access: reading,
    right: "read",
    query: Shape({
      resolved: Type.Optional(
        Type.Boolean({ description: "Only those that are resolved, or only those that are not" }),
      ),
      ...paging(limits.pageSizeInside),
    }),
    response: { status: 200, data: Shape({ messages: Type.Array(ThreadMessage.ref), nextCursor: NextCursor }) },
  },
  createThreadMessage: {
    method: "POST",
    path: "/api/estimations/:id/threads/:threadId/messages",
    summary: "Write a message, about the thread or about a version, a node or an option of it",
    description: `Whoever can read the estimation can write one. The threads of an estimation have at most ${limits.threadMessages} messages, ${limits.threadMessagesPerAuthor} by one author; when they are used up, each author may still have ${limits.keptPerAuthor}, and the owner ${limits.threadMessagesPerAuthor}. At most ${limits.commentsPerMinute} a minute.`,
    access: writing,
    right: "comment",
    perMinute: limits.commentsPerMinute,
    body: Shape({
      body: Text(limits.messageLength, { minLength: 1, description: "The text" }),
      versionId: Type.Optional(Nullable(ReferenceId("A version of the estimation"))),
      nodeId: Type.Optional(Nullable(ReferenceId("A node of the estimation"))),
      optionId: Type.Optional(Nullable(ReferenceId("An option of the estimation; not together with `nodeId`"))),
    }),
    response: { status: 201, created: "/api/estimations/:id/threads/:threadId/messages/:messageId", data: oneMessage },
    errors: ["limit_reached"],
    ifMatch: true,
    activity: "thread.commented",
  },
  updateThreadMessage: {
    method: "PATCH",
    path: "/api/estimations/:id/threads/:threadId/messages/:messageId",
    summary: "Resolve a message, or open it again",
    description:
      "Whoever wrote it can do this, and editors and the owner can for every message. Resolving what is resolved changes nothing.",
    access: writing,
    right: "comment",
    body: Change(
      { resolved: Type.Boolean({ description: "Whether it is resolved" }) },
      {
        matching: ["id", "threadId", "body", "versionId", "nodeId", "optionId"],
        derived: ["author", "resolvedAt", "resolvedBy", "createdAt"],
      },
    ),
    response: { status: 200, data: oneMessage },
    ifMatch: true,
  },
});
