import type { Endpoints } from "./schema.gen.ts";

type Row = Endpoints[keyof Endpoints];

interface CallOptions {
  /** Further headers, such as `if-match` and `if-none-match`, or an `idempotency-key` of your own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts the call, its pauses between attempts, and its stream; it then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

interface FileDownload {
  readonly status: number;
  readonly headers: Headers;
  /** The name to save it under. */
  readonly fileName: string;
  /** Reads all of it; `chunks` can then no longer be read. */
  readonly blob: () => Promise<Blob>;
  /** Its bytes as they arrive. Leaving the loop closes the connection. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

interface EventStream<Event> {
  readonly status: number;
  readonly headers: Headers;
  /** The events as they arrive; can be read only once. Leaving the loop closes the connection. */
  readonly stream: AsyncIterable<Event>;
}

type ResultOf<E extends Row> = E extends { response: infer Success }
  ? Success & { readonly headers: Headers }
  : E extends { event: infer Event }
    ? EventStream<Event>
    : FileDownload;

type Arguments<E extends Row> =
  Record<string, never> extends E["request"]
    ? [request?: E["request"] & CallOptions]
    : [request: E["request"] & CallOptions];

type PageOf<E extends Row> = E extends { response: { data: infer Data } } ? Data : never;

/** What the call of a list has beside reading one page. */
type Lists<E extends Row> = E extends { rows: infer Name extends keyof PageOf<E> }
  ? {
      /** The rows of all pages, each page read when it is needed. */
      readonly all: (
        ...request: Arguments<E>
      ) => AsyncGenerator<PageOf<E>[Name] extends (infer One)[] ? One : never, void, undefined>;
      /** The `data` of all pages, each read when it is needed. */
      readonly pages: (...request: Arguments<E>) => AsyncGenerator<PageOf<E>, void, undefined>;
    }
  : unknown;

/** A function for every endpoint, by its id in the reference. */
export type Client = {
  readonly [Id in keyof Endpoints]: ((...request: Arguments<Endpoints[Id]>) => Promise<ResultOf<Endpoints[Id]>>) &
    Lists<Endpoints[Id]>;
};

/** What a call takes, such as `RequestOf<"createEstimation">`. */
export type RequestOf<Id extends keyof Endpoints> = Endpoints[Id]["request"] & CallOptions;

/** The `data` of what a call returns, such as `DataOf<"getTree">`. */
export type DataOf<Id extends keyof Endpoints> = PageOf<Endpoints[Id]>;
