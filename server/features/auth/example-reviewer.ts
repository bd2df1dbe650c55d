import type { Queryable } from "../../db/database.ts";
import type { Services } from "../../services/index.ts";
import { insertStandIn } from "./store.ts";

/** It is no address: nobody can register with it, and no mail is sent there. */
const ADDRESS = "the reviewer of the examples";

/** Returns the id of the account that reviews the examples of everybody, which nobody can use; made at the first use. */
export const exampleReviewer = (tx: Queryable, { ids }: Pick<Services, "ids">, now: Date): Promise<string> =>
  insertStandIn(tx, {
    ...{ id: ids.next("user"), email: ADDRESS, name: "Robin (example)" },
    ...{ standsFor: "examples", emailVerifiedAt: now, createdAt: now },
  });
