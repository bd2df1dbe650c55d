/**
 * A response that does not come from the service, such as an error page of a proxy. Whether the request was carried out
 * is unknown.
 */
export class ForeignResponse extends Error {
  readonly status: number;
  readonly headers: Headers;

  constructor(status: number, headers: Headers) {
    super(`a response that is not the service's, with status ${status}`);
    this.status = status;
    this.headers = headers;
  }
}

/** The response to an `If-None-Match` whose tag is still current. */
export class NotModified extends Error {
  readonly headers: Headers;

  constructor(headers: Headers) {
    super("the record has not changed");
    this.headers = headers;
  }
}

/**
 * Returns the body of a response if it is an object with `key`, as every response of the service is; otherwise throws
 * `ForeignResponse`.
 */
export async function read<Key extends string>(response: Response, key: Key): Promise<Readonly<Record<Key, unknown>>> {
  const text = await response.text();
  try {
    const body = JSON.parse(text) as Readonly<Record<Key, unknown>>;
    if (key in body) return body;
  } catch {}
  throw new ForeignResponse(response.status, response.headers);
}
