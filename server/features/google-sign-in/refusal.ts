import type { SignInError } from "../../../contract/endpoints/google-sign-in.ts";

/** A failed sign-in, with one of the declared errors. `cause` is for the log, never for the browser. */
export class SignInRefused extends Error {
  readonly error: SignInError;
  /** The account that the identity would have signed in to, if there is one. */
  readonly userId: string | null;
  constructor(error: SignInError, more: { cause?: unknown; userId?: string } = {}) {
    super(error, { cause: more.cause });
    this.error = error;
    this.userId = more.userId ?? null;
  }
}

/** Ends the sign-in with the declared error. */
export function refuse(error: SignInError, more?: ConstructorParameters<typeof SignInRefused>[1]): never {
  throw new SignInRefused(error, more);
}
