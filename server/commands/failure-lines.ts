import { ConfigError } from "../config.ts";
import { codeOf } from "../db/failures.ts";
import { databaseFault } from "./database-faults.ts";

/** Returns why the operating system refused the address to listen on, in terms of the settings. */
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
 * Returns the lines that tell the person at the terminal why a command failed: one for each fault, no stack trace.
 * `databaseUrl` is the setting, if there is one.
 */
export function failureLines(error: unknown, databaseUrl: string | null = null): string[] {
  if (error instanceof ConfigError) return [...error.faults];
  if (databaseUrl !== null && isSqlState(codeOf(error))) {
    const fault = databaseFault(error, databaseUrl);
    if (fault !== undefined) return [fault];
  }
  if (!(error instanceof Error)) return [String(error)];
  // For a host name with several addresses the error has no message, only the errors of all addresses.
  if (error instanceof AggregateError && error.message === "") return failureLines(error.errors[0], databaseUrl);
  const { code = "", syscall, address, hostname, port }: SystemError = error;
  const reason = listenReasons[code];
  if (reason !== undefined && (syscall === "listen" || syscall === "bind" || hostname !== undefined)) {
    return [`cannot listen on ${address ?? hostname}${port === undefined ? "" : `, port ${port}`}: ${reason}`];
  }
  return [error.message.split("\n")[0] || error.name];
}

const isSqlState = (code: string | undefined): boolean => code !== undefined && /^[0-9A-Z]{5}$/.test(code);
