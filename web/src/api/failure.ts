import { ApiError, ForeignResponse, NotModified } from "../../../contract/client/client-of.ts";
import { faultText } from "./fault-texts.ts";
import { failureTexts } from "./texts.ts";

/** Something that has to wait until edits are saved; its message is for the reader. */
export class NotSaved extends Error {}

/** A key or secret was made by a request whose response was lost: it cannot be shown again. */
export class SecretLost extends Error {}

/** No response: no connection, or not in time. The request may have been carried out. */
export class NoResponse extends Error {}

/** It took too long for somebody who waits for a page. */
export class TooLate extends NoResponse {}

/** Returns what `request` returns; throws `TooLate` after `ms`: an error with "Try again" says more than an endless skeleton. */
export const within = <T>(ms: number, request: Promise<T>): Promise<T> =>
  Promise.race([
    request,
    new Promise<never>((_, reject) => setTimeout(() => reject(new TooLate("no response in time")), ms)),
  ]);

/** Returns what `request` returns; throws `NoResponse` where it failed without a response. */
export async function responseOf<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const isResponse = [ApiError, ForeignResponse, NotModified].some((kind) => error instanceof kind);
    throw isResponse ? error : new NoResponse("no response", { cause: error });
  }
}

/** Returns what went wrong, in a sentence for the reader. */
export function failureText(error: unknown): string {
  if (error instanceof NotSaved) return error.message;
  if (error instanceof SecretLost) return failureTexts.secretLost;
  if (error instanceof NoResponse) return failureTexts.unreachable;
  if (error instanceof ForeignResponse) return failureTexts.foreign(error.status);
  if (!(error instanceof ApiError)) return failureTexts.unexpected;
  const known: Readonly<Record<string, string>> = failureTexts.byKey;
  const { message } = error.body;
  if (message === "rate_limited") {
    return failureTexts.rateLimited(Number(error.headers.get("retry-after") ?? 60));
  }
  if (error.body.message === "forbidden" && error.body.details?.reason) {
    return failureTexts.byKey[error.body.details.reason];
  }
  const [row] = rowsOf(error);
  return known[message] ?? (row && faultText(row)) ?? failureTexts.unexpected;
}

/** Returns what is wrong with each field of the request, by its name. */
export function faultsByField(error: unknown): Readonly<Record<string, string>> {
  const rows = rowsOf(error).filter(({ path }) => path !== "");
  return Object.fromEntries(rows.map((row) => [row.path.slice(1).split("/")[0], faultText(row)]));
}

const rowsOf = (error: unknown) => (error instanceof ApiError ? (error.body.errors ?? []) : []);

/** Returns the first fault of a request that was refused for its content. */
export const faultOf = (error: unknown) => rowsOf(error)[0];

export const isRefusal = (error: unknown, key: string): error is ApiError =>
  error instanceof ApiError && error.body.message === key;

/** Returns whether the same request could succeed a moment later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof NoResponse || (hasResponse(error) && [502, 503, 504].includes(error.status));

/** Returns whether the service, or something in front of it, answered with a failure. */
export const hasResponse = (error: unknown): error is ApiError | ForeignResponse =>
  error instanceof ApiError || error instanceof ForeignResponse;
