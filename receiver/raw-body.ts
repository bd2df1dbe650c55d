/** The body as received. */
export type RawBody = string | Uint8Array | ArrayBuffer;
