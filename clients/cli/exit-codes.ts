/** With which number the program ends, and what that means. */
export const exitCodes = {
  0: "Done",
  1: "The service refuses, or something unexpected happened",
  2: "Wrong usage: nothing was sent",
  3: "No key, or one that is refused or may not do this",
  4: "There is no such record, or you may not see it",
  5: "A conflict: somebody changed it meanwhile, or its state does not allow this",
  6: "The service cannot be reached, or has no room for the request now",
  130: "Stopped by Ctrl-C",
} as const;

export type ExitCode = keyof typeof exitCodes;

/** Returns the exit code for a refusal of the service with this status, and the message of its error. */
export function exitCodeOf(status: number, message = ""): ExitCode {
  if (status === 401 || message === "api_key_insufficient_scope" || message === "session_token_required") return 3;
  if (status === 404) return 4;
  if (status === 409 || status === 412) return 5;
  return [429, 502, 503, 504].includes(status) ? 6 : 1;
}
