import { ApiError, ForeignAnswer, NotModified } from "../../../contract/client-of.ts";
import { texts } from "../texts.ts";

/** Something that has to wait until edits are saved; its message is for the reader. */
export class NotSaved extends Error {}

/** A key or secret was made by a request whose answer was lost: it cannot be shown again. */
export class SecretLost extends Error {}

/** Nothing answered: no connection, or not in time. The request may have been carried out. */
export class NoAnswer extends Error {}

/** Returns what `request` returns; throws `NoAnswer` where it failed without an answer. */
export async function answerOf<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const isAnswer = [ApiError, ForeignAnswer, NotModified].some((kind) => error instanceof kind);
    throw isAnswer ? error : new NoAnswer("no answer", { cause: error });
  }
}

/** Returns what went wrong, in a sentence for the reader. */
export function failureText(error: unknown): string {
  if (error instanceof NotSaved) return error.message;
  if (error instanceof SecretLost) return texts.failures.secretLost;
  if (error instanceof NoAnswer) return texts.failures.unreachable;
  if (error instanceof ForeignAnswer) return texts.failures.foreign(error.status);
  if (!(error instanceof ApiError)) return texts.failures.unexpected;
  const known: Readonly<Record<string, string>> = texts.failures.byKey;
  const { message, hint } = error.body;
  if (message === "rate_limited") {
    return texts.failures.rateLimited(Number(error.headers.get("retry-after") ?? 60));
  }
  if (error.body.message === "forbidden" && error.body.details?.reason) {
    return texts.failures.byKey[error.body.details.reason];
  }
  const [row] = rowsOf(error);
  return known[message] ?? (row ? sentence(row.message) : undefined) ?? hint ?? texts.failures.unexpected;
}

/** Returns what is wrong with each field of the request, by its name, in the server's words. */
export function faultsByField(error: unknown): Readonly<Record<string, string>> {
  const rows = rowsOf(error).filter(({ path }) => path !== "");
  return Object.fromEntries(rows.map(({ path, message }) => [path.slice(1).split("/")[0], sentence(message)]));
}

interface Row {
  readonly path: string;
  readonly message: string;
}

const rowsOf = (error: unknown): readonly Row[] => (error instanceof ApiError ? (error.body.errors ?? []) : []);

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const isRefusal = (error: unknown, key: string): error is ApiError =>
  error instanceof ApiError && error.body.message === key;

/** Returns whether the same request could succeed a moment later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof NoAnswer || (isAnswered(error) && [502, 503, 504].includes(error.status));

/** Returns whether the service, or something in front of it, answered with a failure. */
export const isAnswered = (error: unknown): error is ApiError | ForeignAnswer =>
  error instanceof ApiError || error instanceof ForeignAnswer;
