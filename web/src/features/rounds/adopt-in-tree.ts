import type { QueryClient } from "@tanstack/react-query";
import type { AdoptedHours } from "../../../../contract/values/round.ts";
import { api } from "../../api/client.ts";
import { currentSession } from "../../api/session.ts";
import { tellSave } from "../trees/sync/own-saves.ts";
import { treeQuery } from "../trees/sync/queries.ts";
import { revisionOf } from "../trees/sync/revisions.ts";

/** Which hours an option is to have. */
export interface Choice {
  readonly optionId: string;
  /** `pool`, `median`, or the id of an estimate. */
  readonly from: string;
}

/** What was adopted, and what takes it back as long as nothing else was done since. */
export interface Adoption {
  readonly adopted: readonly AdoptedHours[];
  readonly undo: () => Promise<void>;
}

/** Gives options hours of a round, as one step that the editor can undo, too. */
export async function adoptInTree(
  queries: QueryClient,
  id: string,
  roundId: string,
  choices: readonly Choice[],
): Promise<Adoption> {
  const sync = await queries.ensureQueryData(treeQuery(id));
  await sync.savedRevision();
  // What others have changed is not part of the step.
  await sync.look();
  const before = sync.current();
  const response = await api.adoptHours({ params: { id, roundId }, body: { options: [...choices] } });
  tellSave(currentSession()?.userId ?? "", id, revisionOf(response.headers.get("etag") ?? ""));
  await sync.look();
  sync.did(before);
  const step = sync.current().past.at(-1);
  return {
    adopted: response.data.adopted,
    undo: async () => {
      if (step && sync.current().past.at(-1) === step) sync.undo();
      await sync.savedRevision();
    },
  };
}
