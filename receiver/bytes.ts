import type { RawBody } from "./raw-body.ts";

/** A copy of the bytes, so that changes of the caller's own bytes cannot affect what was verified. */
export function bytesOf(body: RawBody, wantedBy: "sign" | "verify"): Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  // By its tag, because a buffer may come from another realm.
  if (Object.prototype.toString.call(body) === "[object ArrayBuffer]") return new Uint8Array(body).slice();
  throw new TypeError(
    `${wantedBy} needs the raw bytes of the body, as text, Uint8Array or ArrayBuffer: what was parsed and is serialised ` +
      "again no longer has the bytes that were signed",
  );
}
