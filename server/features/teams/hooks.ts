import type { Queryable } from "../../db/database.ts";
import type { Origin } from "../audit-log/index.ts";
import type { UserRow } from "../auth/index.ts";

/** An invitation to mail, in the name of the user who sends it. */
interface Mailing {
  readonly invited: { readonly to: "team"; readonly id: string };
  /** The id of the team. */
  readonly about: string;
  readonly sender: UserRow;
  readonly email: string;
  readonly now: Date;
}

/** What teams cause elsewhere, in the transaction of the cause. Features that stand above teams do it. */
export interface TeamHooks {
  /** Has an invitation mailed within the bounds of all mails with invitations. */
  readonly mail: (tx: Queryable, mailing: Mailing) => Promise<void>;
  /** Before a user belongs to a team, and so can see what others share with it. */
  readonly whenJoining: (tx: Queryable, user: UserRow, moment: Origin & { readonly now: Date }) => Promise<void>;
  /** After a team was deleted. */
  readonly whenEnded: readonly WhenEnded[];
}

export type WhenEnded = (tx: Queryable, teamId: string, now: Date) => Promise<void>;
