import { type ShownFigures, showsPrice } from "../../../contract/values/client-links.ts";
import { unanswerable } from "../../../domain/client-links/answerable.ts";
import { publish } from "../../../domain/client-links/publish.ts";
import type { LinkSettings } from "../../../domain/client-links/shape.ts";
import { amountOf, totalOf } from "../../../domain/client-links/total.ts";
import type { Tree } from "../../../domain/tree/shape.ts";
import type { Snapshot } from "../../../domain/versions/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import { inTurn } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import { listStanding } from "./store.ts";
import type { clientLinks } from "./tables.ts";

/** What is stored of a publication. */
type Publication = Pick<typeof clientLinks.$inferInsert, "bytes" | "total"> & { readonly published: string };

/**
 * Makes what a link shows of a content, which takes about `contentBytes`. Refuses (409) a price without a rate, questions that a client could
 * never answer, and a page that is too long.
 */
export async function publicationOf(
  { quotas }: Pick<Services, "quotas">,
  db: Queryable,
  snapshot: Snapshot,
  settings: LinkSettings,
  contentBytes: number,
): Promise<Publication> {
  if (showsPrice(settings.shows) && snapshot.hourlyRate === null) fail("rate_missing");
  if (settings.choices) await inTurn(contentBytes, () => demandAnswerable(snapshot.tree));
  const made = await inTurn(contentBytes, () => {
    const published = publish(snapshot, settings);
    return { published: JSON.stringify(published), total: amountOf(totalOf(published), settings) };
  });
  const bytes = Buffer.byteLength(made.published);
  await quotas.reserve(db, { quota: "linkPageBytes", used: () => bytes });
  return { ...made, bytes };
}

/** Refuses (409) questions that no set of their options answers: whoever is asked them could not accept. */
function demandAnswerable(tree: Tree): void {
  const found = unanswerable(tree);
  if (found.length === 0) return;
  fail("tree_incomplete", {
    faults: found.map((problem) => ({ ...problem, in: "tree", code: "incomplete", message: problem.remedy }) as const),
    hint: "A client could never answer these questions: change each as its row of `errors` says, or publish without `choices`.",
  });
}

/**
 * Refuses (409) to show money where a link of the estimation shows hours, or the other way round: who has both
 * divides one by the other. Expired links count, because whoever has read them may remember.
 */
export async function refuseToTellRate(db: Queryable, estimationId: string, shows: ShownFigures): Promise<void> {
  const standing = await listStanding(db, estimationId);
  const telling = standing.find((other) => showsPrice(other.shows) !== showsPrice(shows));
  if (telling) fail("rate_would_show", { details: { linkId: telling.id } });
}
