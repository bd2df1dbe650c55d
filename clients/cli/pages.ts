/** A page of a list. */
interface Page {
  readonly nextCursor: string | null;
}

/** What one request to a list returns. */
type ReadPage<P extends Page> = (query: {
  readonly cursor?: string;
  readonly limit: number;
}) => Promise<{ readonly data: P }>;

/** Rows of one page, at most. */
const PAGE = 100;

/**
 * Reads a list page by page until there are `most` rows of `name`, and returns its data as one page: the rows of all of them, and the cursor
 * behind the last.
 */
export async function readAll<Name extends string, Row, P extends Page & { readonly [K in Name]: readonly Row[] }>(
  name: Name,
  read: ReadPage<P>,
  most = Number.POSITIVE_INFINITY,
): Promise<P & { readonly [K in Name]: Row[] }> {
  const rows: Row[] = [];
  for (let cursor: string | undefined; ; ) {
    const { data } = await read({
      limit: Math.min(PAGE, most - rows.length),
      ...(cursor === undefined ? {} : { cursor }),
    });
    rows.push(...data[name]);
    cursor = data.nextCursor ?? undefined;
    if (cursor === undefined || rows.length >= most) return { ...data, [name]: rows };
  }
}
