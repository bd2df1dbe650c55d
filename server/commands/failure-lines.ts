import { ConfigError } from "../config.ts";
import { codeOf } from "../db/failures.ts";
import { databaseFault } from "./database-faults.ts";

/** What the operating system says of the address to listen on, in the words of who set it. */
const listenReasons: Record<string, string> = {
  EADDRINUSE: "the address is in use by another program; set PORT to another port",
  EACCES: "permission denied; ports below 1024 need special rights",
  EADDRNOTAVAIL: "this machine has no such address; set HOST",
  ENOTFOUND: "there is no such host; set HOST",
};

interface SystemError extends Error {
  code?: string;
  syscall?: string;
  address?: string;
  hostname?: string;
  port?: number;
}

/**
 * The lines that explain why a command failed to the person at the terminal: one per fault, no stack trace.
 * `databaseUrl`: the setting, where there is one.
 */
export function failureLines(error: unknown, databaseUrl: string | null = null): string[] {
  if (error instanceof ConfigError) return [...error.faults];
  if (databaseUrl !== null && isSqlState(codeOf(error))) {
    const fault = databaseFault(error, databaseUrl);
    if (fault !== undefined) return [fault];
  }
  if (!(error instanceof Error)) return [String(error)];
  // A host name with several addresses fails with one error for each, and no message of its own.
  if (error instanceof AggregateError && error.message === "") return failureLines(error.errors[0], databaseUrl);
  const { code = "", syscall, address, hostname, port }: SystemError = error;
  const reason = listenReasons[code];
  if (reason !== undefined && (syscall === "listen" || syscall === "bind" || hostname !== undefined)) {
    return [`cannot listen on ${address ?? hostname}${port === undefined ? "" : `, port ${port}`}: ${reason}`];
  }
  return [error.message.split("\n")[0] || error.name];
}

const isSqlState = (code: string | undefined): boolean => code !== undefined && /^[0-9A-Z]{5}$/.test(code);
