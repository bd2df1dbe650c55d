import { type DestinationStream, type Level, type Logger, pino } from "pino";
import { systemClock } from "./clock.ts";
import { createLogStream } from "./log-stream.ts";
import { describeError, redact } from "./redact.ts";

/** Paths that may contain a credential; their values are never written, even if they do not look like one. */
const REDACTED = ["authorization", "cookie", "password", "token", "plaintext", "secret"].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

/**
 * Returns a logger that writes JSON lines to standard error, so that standard output stays for people. Errors are
 * written without the data they quote, and anything that looks like a credential is removed from the finished line,
 * wherever it came from: a message, an address, the text of an error.
 */
export const createLog = (level: string, destination: DestinationStream = standardError()): Logger =>
  pino(
    {
      level,
      redact: { paths: REDACTED, censor: "[redacted]" },
      serializers: { err: (error: unknown) => describeError(error), error: (error: unknown) => describeError(error) },
      hooks: { streamWrite: redact },
    },
    destination,
  );

/**
 * Returns a function that writes a line of another logger, which has already described its errors, as a line of `log`.
 */
export function relayTo(log: Logger): (line: string) => void {
  const relay = log.child({}, { serializers: { err: (error: unknown) => error } });
  return (line) => {
    const { level, msg, time: _, pid: __, hostname: ___, ...about } = JSON.parse(line);
    const name = pino.levels.labels[level] as Level;
    relay[name](about, msg);
  };
}

const STANDARD_ERROR = 2;

function standardError(): DestinationStream {
  // Node.js opens its own stream at the first use, and makes a pipe or a socket non-blocking as it does: a reader that
  // stops reading then blocks no thread, and so not the end of the process either.
  void process.stderr;
  const stream = createLogStream(STANDARD_ERROR, describeLoss);
  process.on("exit", stream.flushSync);
  return stream;
}

const describeLoss = (droppedLines: number, reason: string): string =>
  `${JSON.stringify({
    level: pino.levels.values.warn,
    time: systemClock.now().getTime(),
    droppedLines,
    reason,
    msg: "lines of the log could not be written and were dropped",
  })}\n`;
