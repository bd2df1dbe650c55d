import type { EndpointEntry } from "../call.ts";
import type { Stage } from "./stage.ts";

/**
 * A guarantee that holds for every endpoint of its kind. `planted-faults.test.ts` shows for each loop that it fails where the
 * guarantee is broken.
 */
export interface Loop {
  /** With %s for the endpoint's id. */
  readonly title: string;
  readonly endpoints: readonly EndpointEntry[];
  /** Throws if the endpoint breaks the guarantee. Leaves the database unchanged. */
  check(stage: Stage, entry: EndpointEntry): Promise<void>;
}
