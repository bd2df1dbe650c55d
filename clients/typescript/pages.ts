/** A request to a list. */
interface ListRequest {
  readonly query?: Readonly<Record<string, unknown>>;
}

interface Page {
  readonly nextCursor: string | null;
  readonly [name: string]: unknown;
}

export type ReadPage = (request: ListRequest) => Promise<{ readonly data: Page }>;

/** Returns the pages of a list, each read when it is asked for. */
export async function* pagesOf(read: ReadPage, request: ListRequest = {}): AsyncGenerator<Page, void, undefined> {
  let query = request.query;
  for (;;) {
    const { data } = await read({ ...request, ...(query && { query }) });
    yield data;
    if (data.nextCursor === null) return;
    query = { ...query, cursor: data.nextCursor };
  }
}

/** Returns the rows of all pages. */
export async function* rowsOf(
  read: ReadPage,
  name: string,
  request?: ListRequest,
): AsyncGenerator<unknown, void, undefined> {
  for await (const page of pagesOf(read, request)) yield* page[name] as unknown[];
}
