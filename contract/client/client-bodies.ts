/** Returns the file name in `Content-Disposition`: the extended one (RFC 8187) if present. */
export function fileNameOf(headers: Headers): string {
  const header = headers.get("content-disposition") ?? "";
  const extended = /filename\*=UTF-8''([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  const [, quoted, plain] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
  return quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
}

/**
 * Returns the data of server-sent events as they arrive, each one line of JSON; comments are left out. Throws if the connection
 * breaks before the response ends. Closes the connection if the caller stops reading.
 */
export async function* eventsOf<Value>(response: Response): AsyncGenerator<Value> {
  for await (const line of textLinesOf(response)) {
    if (line.startsWith("data: ")) yield JSON.parse(line.slice("data: ".length)) as Value;
  }
}

async function* textLinesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
      const lines = (rest + read.value).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    await reader?.cancel();
  }
}

/** Returns the bytes of a response as they arrive. Closes the connection if the caller stops reading. */
export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  try {
    for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) yield read.value;
  } finally {
    await reader?.cancel();
  }
}
