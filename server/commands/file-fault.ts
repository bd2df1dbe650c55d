/** Returns the line that says that a file could not be used, with the operating system's reason; undefined for other errors. */
export function fileFault(error: unknown, doing: string): Error | undefined {
  if (!(error instanceof Error && "code" in error && "path" in error)) return undefined;
  const reason = /^\w+: (.*?), /.exec(error.message)?.[1] ?? error.message;
  return new Error(`cannot ${doing}: ${reason} (${error.code})`, { cause: error });
}
