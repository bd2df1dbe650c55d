import { type Logger, pino } from "pino";

/** Paths that may carry a credential; whatever stands there is never written. */
const REDACTED = ["authorization", "cookie", "password", "token", "plaintext", "secret"].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

/** A logger that writes JSON lines to the standard error output, so that standard output stays for people. */
export const createLog = (level: string): Logger =>
  pino({ level, redact: { paths: REDACTED, censor: "[redacted]" } }, pino.destination({ dest: 2, sync: false }));
