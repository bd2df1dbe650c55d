import { limits } from "../../../contract/limits.ts";
import { api } from "./client.ts";
import { ageOf, currentSession, keepSession, rereadSession } from "./session.ts";

const CHECK_MS = 60_000;
const RENEW_AFTER_MS = (limits.sessionSeconds * 1_000) / 2;

const isDue = () => {
  const session = currentSession();
  return session !== null && ageOf(session) > RENEW_AFTER_MS;
};

/** Runs `work` in one tab at a time. Browsers offer locks on HTTPS and on loopback only; elsewhere each tab renews. */
const alone = (work: () => Promise<void>): Promise<void> =>
  "locks" in navigator ? navigator.locks.request("renew-session", work) : work();

/** Renews the token if it is half-way through its life. Of several tabs the first does it, and the others take its token. */
async function renewIfDue(): Promise<void> {
  if (!isDue() || !navigator.onLine) return;
  await alone(async () => {
    const session = rereadSession();
    if (session === null || !isDue()) return;
    try {
      const { data } = await api.renewSession();
      if (currentSession()?.token === session.token) {
        keepSession({ ...session, token: data.token, receivedAt: Date.now() });
      }
    } catch {
      // Refused: the session has ended already. Unreachable: the next check tries again.
    }
  });
}

/** Keeps the session renewed while a tab is open, also after the machine slept. */
export function keepRenewed(): void {
  setInterval(renewIfDue, CHECK_MS);
  document.addEventListener("visibilitychange", renewIfDue);
  addEventListener("online", renewIfDue);
  void renewIfDue();
}
