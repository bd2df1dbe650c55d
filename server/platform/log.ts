import { type DestinationStream, type Logger, pino } from "pino";
import { describeError, redact } from "./redact.ts";

/** Paths that may carry a credential; whatever stands there is never written, also where it does not look like one. */
const REDACTED = ["authorization", "cookie", "password", "token", "plaintext", "secret"].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

/**
 * A logger that writes JSON lines to the standard error output, so that standard output stays for people. Errors are
 * written without the data they quote, and whatever looks like a credential is taken out of the finished line, wherever
 * it came from: a message, an address, the text of an error.
 */
export const createLog = (
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Logger =>
  pino(
    {
      level,
      redact: { paths: REDACTED, censor: "[redacted]" },
      serializers: { err: (error: unknown) => describeError(error), error: (error: unknown) => describeError(error) },
      hooks: { streamWrite: redact },
    },
    destination,
  );
