import type { Row } from "../call.ts";
import type { Stage } from "./stage.ts";

/**
 * A guarantee that holds for every endpoint of its kind. `planted-faults.test.ts` shows for each loop that it fails where the
 * guarantee is broken.
 */
export interface Loop {
  /** With %s for the endpoint's id. */
  readonly title: string;
  readonly rows: readonly Row[];
  /** Throws if `row` breaks the guarantee. Leaves the database unchanged. */
  check(stage: Stage, row: Row): Promise<void>;
}
