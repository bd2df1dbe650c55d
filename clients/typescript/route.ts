/** What a call needs to know about its endpoint. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** What it returns instead of `data`. */
  readonly returns?: "file" | "stream";
  /** The name of what it returns a page of. */
  readonly rows?: string;
  /** It honours `Idempotency-Key`. */
  readonly takesKey?: true;
}
