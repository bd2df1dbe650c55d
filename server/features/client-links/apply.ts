import { withChoice } from "../../../domain/client-links/apply.ts";
import { isLocked } from "../../../domain/states.ts";
import { aboutBytes } from "../../../domain/tree/check/about-bytes.ts";
import { tryOut } from "../../../domain/tree/hours/try-out.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Services } from "../../services/index.ts";
import { type ContentCall, changeContent, type LockedEstimation, loadTree } from "../estimations/index.ts";
import { findVersion, findVersionWithSnapshot, pinVersion } from "../versions/index.ts";
import { findAcceptance } from "./answer-store.ts";

interface Applied {
  readonly estimation: LockedEstimation;
  /** The version that has what the client has chosen. */
  readonly version: NonNullable<Awaited<ReturnType<typeof findVersion>>>;
  /** The version that has the content from before. */
  readonly keptId: string;
}

/**
 * Selects in a locked estimation what a client has accepted by one of its links, as a version. Content that is in no version
 * yet becomes one before. Refuses (409) where nobody has accepted, and what `changeContent` and `pinVersion` refuse.
 */
export async function applyAcceptance(services: Services, call: ContentCall, linkId: string): Promise<Applied> {
  const { db, actor } = call;
  const { status } = call.estimation;
  // Also where it would change nothing: whether it does depends on edits that the caller may not know of.
  if (isLocked(status)) fail("estimation_locked", { details: { status } });
  const estimationId = call.estimation.id;
  const acceptance = (await findAcceptance(db, linkId)) ?? fail("acceptance_missing");
  const accepted = (await findVersionWithSnapshot(db, estimationId, acceptance.versionId)) ?? fail("not_found");
  const chosen = tryOut(accepted.snapshot.tree, acceptance.selection);
  if (!chosen.ok) failWith(chosen.faults);
  const pin = { cause: "link", authorId: actor.userId } as const;
  const before = await loadTree(db, estimationId);
  const { estimation, tree } = await changeContent<object>(call, {
    edit: (current) => ({ ok: true, tree: withChoice(current, chosen.tree) }),
    editBytes: aboutBytes(chosen.tree.nodes),
    ids: services.treeIds(estimationId),
  });
  const { id: keptId } = await pinVersion(services, call, before, pin);
  const { id } = await pinVersion(services, { ...call, estimation }, tree, pin);
  return { estimation, keptId, version: (await findVersion(db, estimationId, id)) ?? fail("not_found") };
}
