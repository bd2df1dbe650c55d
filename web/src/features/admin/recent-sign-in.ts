import { useSyncExternalStore } from "react";
import { ApiError } from "../../../../contract/client/client-of.ts";

/** A call that waits until the administrator has signed in again. */
interface Waiting {
  readonly resume: () => void;
  readonly giveUp: () => void;
}

let waiting: readonly Waiting[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Waiting[]): void {
  waiting = next;
  for (const listener of listeners) listener();
}

const watch = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether something waits for a new sign-in. */
export const useSignInNeeded = (): boolean => useSyncExternalStore(watch, () => waiting.length > 0);

/** Lets the calls go on that have waited, or fail with the refusal that they got. */
export function endWaiting(isSignedIn: boolean): void {
  const all = waiting;
  change([]);
  for (const { resume, giveUp } of all)
    if (isSignedIn) resume();
    else giveUp();
}

/**
 * Makes a call of an administrator; where the sign-in is too old, again once there is a new one, unless nothing shows the
 * result: a link that is only pointed at does not ask for a password.
 */
export async function asAdministrator<R>(call: () => Promise<R>, isShown = () => true): Promise<R> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || error.body.message !== "recent_sign_in_required" || !isShown()) throw error;
    await new Promise<void>((resolve, reject) => {
      change([...waiting, { resume: resolve, giveUp: () => reject(error) }]);
    });
    return await asAdministrator(call, isShown);
  }
}
