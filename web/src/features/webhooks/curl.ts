/** Returns a text as one word for a shell of POSIX. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

interface Request {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns a command that sends the request: the body to the byte, as its signature needs it. */
export function curlOf({ url, headers, body }: Request): string {
  const lines = [
    `curl --globoff ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body)}`,
  ];
  return lines.join(" \\\n  ");
}
