import type { auth } from "../../../contract/auth.ts";
import type { Handlers } from "../../http/handler.ts";
import { createSessionTokens } from "../../platform/tokens.ts";
import type { Services } from "../../services.ts";
import { createPasswordGate } from "./password-gate.ts";
import { passwordRoutes } from "./password-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { createThrottle } from "./throttle.ts";
import { userRoutes } from "./user-routes.ts";
import { verificationRoutes } from "./verification-routes.ts";

/** What the handlers of accounts share. */
export interface Parts {
  readonly passwords: ReturnType<typeof createPasswordGate>;
  /** Counts mails that are asked for. */
  readonly mails: ReturnType<typeof createThrottle>;
  /** Counts the mails that registering causes, which use up nothing of those. */
  readonly registrationMails: ReturnType<typeof createThrottle>;
  /** Makes a session token at this version of the user's tokens. */
  readonly openSession: (userId: string, tokenVersion: number) => Promise<{ token: string; expiresAt: string }>;
}

export const authRoutes = (services: Services): Handlers<typeof auth> => {
  const tokens = createSessionTokens(services.sessionSecret, services.clock);
  const parts: Parts = {
    passwords: createPasswordGate(services),
    mails: createThrottle(services, "mail-requests"),
    registrationMails: createThrottle(services, "registration-mails"),
    async openSession(userId, tokenVersion) {
      const { token, expiresAt } = await tokens.issue({ userId, tokenVersion });
      return { token, expiresAt: expiresAt.toISOString() };
    },
  };
  return {
    ...sessionRoutes(services, parts),
    ...passwordRoutes(services, parts),
    ...verificationRoutes(services, parts),
    ...userRoutes(services),
  };
};
