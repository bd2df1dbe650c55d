import type { auth } from "../../../contract/endpoints/auth.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { createPasswordGate } from "./password-gate.ts";
import { passwordRoutes } from "./password-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import type { SignIns } from "./sign-ins.ts";
import { createThrottle } from "./throttle.ts";
import { type UserHooks, userRoutes } from "./user-routes.ts";
import { type VerificationHooks, verificationRoutes } from "./verification-routes.ts";

/** What the handlers of accounts share. */
export interface Parts {
  readonly passwords: ReturnType<typeof createPasswordGate>;
  /** Counts requested mails. */
  readonly mails: ReturnType<typeof createThrottle>;
  /** Counts the mails that registration causes, separately from the others. */
  readonly registrationMails: ReturnType<typeof createThrottle>;
  readonly signIns: SignIns;
}

export const authRoutes = (
  services: Services,
  signIns: SignIns,
  hooks: UserHooks & VerificationHooks,
): Handlers<typeof auth> => {
  const parts: Parts = {
    passwords: createPasswordGate(services),
    mails: createThrottle(services, "mail-requests"),
    registrationMails: createThrottle(services, "registration-mails"),
    signIns,
  };
  return {
    ...sessionRoutes(services, parts),
    ...passwordRoutes(services, parts),
    ...verificationRoutes(services, parts, hooks),
    ...userRoutes(services, hooks),
  };
};
