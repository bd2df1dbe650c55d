import type { Logger } from "pino";
import type { DataMigration } from "../../db/data-migration.ts";
import { normalizeEmail } from "./email.ts";
import { changeEmail, findUserByEmail, listUnusualEmails } from "./store.ts";

/**
 * Converts addresses stored before domains were compared in ASCII form. An account whose normalized address already
 * belongs to another one, or that has none, stays unchanged and is logged: nobody can sign in with its address any
 * more, and its owner or the operator has to resolve that.
 */
export const normalizeEmails = (log: Logger): DataMigration => ({
  name: "normalize-emails",
  async run(tx) {
    for (const { id, email } of await listUnusualEmails(tx)) {
      const form = normalizeEmail(email);
      if (form === email) continue;
      const other = form === null ? undefined : await findUserByEmail(tx, form);
      if (form === null)
        log.warn({ userId: id }, "the e-mail address of an account is refused by now; change it in the database");
      else if (other)
        log.warn(
          { userId: id, otherUserId: other.id },
          "two accounts have equivalent e-mail addresses; only the other one can be signed in to by it",
        );
      else await changeEmail(tx, id, form);
    }
  },
});
