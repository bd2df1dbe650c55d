import Type, { type Static, type TProperties, type TSchema, type TUnsafe } from "typebox";
import { limits } from "./limits.ts";

/** Characters of a cursor: some values of a row, and a signature. */
export const CURSOR_LENGTH = 500;

/** The type prefixes of record ids; the specification fixes the first four. */
export const idPrefixes = {
  estimation: "est",
  user: "usr",
  session: "ses",
  share: "shr",
  delivery: "wd",
  apiKey: "key",
  webhook: "wh",
  node: "nod",
  option: "opt",
  task: "tsk",
  version: "ver",
  template: "tpl",
  milestone: "mst",
  thread: "thr",
  message: "msg",
  auditEvent: "evt",
  review: "rev",
  comment: "cmt",
  export: "exp",
  connection: "con",
  team: "team",
  invitation: "inv",
  stream: "str",
  notification: "ntf",
  link: "lnk",
  answer: "ans",
  round: "rnd",
  estimate: "etm",
} as const;

export type IdKind = keyof typeof idPrefixes;

/** Returns the kind of a record in words, such as "API key". */
export const idWords = (kind: IdKind): string =>
  kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^api\b/, "API");

/**
 * A record id in a response: type prefix, underscore, 26 characters. In a request ids are plain strings, because a
 * malformed one gets exactly the response of one that does not exist.
 */
export const Id = (kind: IdKind, description = `Id of the ${idWords(kind)}`) =>
  Type.String({ pattern: `^${idPrefixes[kind]}_[0-9a-z]{26}$`, description });

/** A closed object: unknown fields are refused in requests and in responses. */
export const Shape = <P extends TProperties>(properties: P, options: { description?: string } = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** A user as others see them. */
export const Person = (description: string) => Shape({ id: Id("user"), name: Type.String() }, { description });

/** `schema` or null, as one JSON Schema type list, which validates and serialises faster than a union. */
export function Nullable<S extends TSchema & { type?: unknown }>(schema: S): TUnsafe<Static<S> | null> {
  const { enum: values, ...rest } = schema as S & { enum?: unknown[] };
  return Type.Unsafe<Static<S> | null>({
    ...rest,
    type: [schema.type, "null"],
    ...(values ? { enum: [...values, null] } : {}),
  });
}

interface Choice<T> {
  readonly description?: string;
  readonly default?: T;
  /** Describes the values for people, if there are too many to list. */
  readonly "x-form"?: string;
}

/** One of a list of strings. */
export const OneOf = <T extends string>(values: readonly T[], options: Choice<T> = {}) =>
  Type.Unsafe<T>({ type: "string", enum: [...values], ...options });

/**
 * A record that several endpoints share: registered once under its name (a component of the OpenAPI description) and
 * referred to by `ref`.
 */
export function component<S extends TSchema>(name: string, schema: S): { schema: S; ref: TUnsafe<Static<S>> } {
  const named = Object.assign({}, schema, { $id: name });
  components.push(named);
  return { schema: named, ref: Type.Unsafe<Static<S>>({ $ref: `${name}#` }) };
}

/** A component or null. */
export const OrNull = <S extends TSchema>(ref: S) => Type.Unsafe<Static<S> | null>({ anyOf: [ref, { type: "null" }] });

/** Every component, in the order of declaration. */
export const components: (TSchema & { readonly $id: string })[] = [];

/** Fields of a record that may be sent back in a change, but are not changed by it. */
interface ReadOnly {
  /** Must equal the record (400 `read_only` otherwise): they are set elsewhere, or never. */
  readonly matching?: readonly string[];
  /** Derived from something else, and ignored. */
  readonly derived?: readonly string[];
}

/** The body of a change: `fields` are all optional. Read-only fields that are sent back never reach the handler. */
export function Change<P extends TProperties>(fields: P, { matching = [], derived = [] }: ReadOnly = {}) {
  const ignored = Derived(derived);
  const compared = Object.fromEntries(
    matching.map((name) => [
      name,
      Type.Unknown({ readOnly: true, "x-must-match": true, description: "Read-only: must not change" }),
    ]),
  );
  const all = { ...fields, ...compared, ...ignored };
  return Type.Unsafe<Partial<Static<ReturnType<typeof Type.Object<P>>>>>({
    ...Type.Object(Object.fromEntries(Object.entries(all).map(([key, value]) => [key, Type.Optional(value)]))),
    additionalProperties: false,
  });
}

const Derived = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, Type.Unknown({ readOnly: true, description: "Read-only: ignored" })]));

export const Timestamp = Type.String({ format: "date-time", description: "ISO 8601 in UTC with milliseconds" });

/** A day, without a time. Whether it exists is for `domain/timeline` to check. */
export const DateText = Type.String({
  pattern: "^\\d{4}-\\d{2}-\\d{2}$",
  "x-form": "a date such as 2027-01-31",
  description: "A date from 1970 to 2199",
});

/** Free text of at most `maxLength` code points. */
export const Text = (maxLength: number, options: { minLength?: number; description?: string } = {}) =>
  Type.String({ maxLength, ...options });

/**
 * A character that can be seen: no space, no control character, and none of those that Unicode lets programs leave out of
 * what they show, as far as patterns can name them everywhere (the first 65,536 characters). Spaces are written out, because
 * `\s` is not the same everywhere: PostgreSQL reads this pattern too.
 */
export const VISIBLE =
  "[^\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f\\u2000-\\u200f" +
  "\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8]";

/** Text with at least one character that can be seen. */
export const Title = (maxLength: number) =>
  Type.String({ maxLength, minLength: 1, pattern: VISIBLE, description: "At least one visible character" });

/**
 * At most two decimals, for the options of a number. The service checks it by the decimal digits. It is not `multipleOf`,
 * because validators divide by it and so refuse numbers such as 0.07; the published description says it in words.
 */
export const hundredths = { "x-decimals": 2 } as const;

/** Hours: at least 0, at most two decimals. */
export const Hours = (maximum?: number) =>
  Type.Number({ minimum: 0, ...hundredths, ...(maximum === undefined ? {} : { maximum }), description: "Hours" });

/** The characters allowed on either side of the `@`: none that make a mail header read it as more than one address. */
const ADDRESS_PART = '[^\\s@<>()\\[\\],;:"\\\\\\u0000-\\u001f\\u007f]+';

export const Email = Type.String({
  maxLength: limits.emailLength,
  pattern: `^\\s*${ADDRESS_PART}@${ADDRESS_PART}\\s*$`,
  "x-form": "an e-mail address",
  description:
    "Compared after trimming, with A to Z in lower case and the domain in ASCII form (IDNA). Invisible characters, and forms other than Unicode normalization form C, are refused",
});

/**
 * A filter of a list: its query parameter takes several values, separated by commas, and any of them may match. A comma in
 * a value is percent-encoded.
 */
export const AnyOf = <S extends TSchema>(value: S, maxItems: number, description?: string) =>
  Type.Optional(
    Type.Array(value, { minItems: 1, maxItems, uniqueItems: true, ...(description ? { description } : {}) }),
  );

export const NextCursor = Nullable(
  Type.String({ description: "Send it as `cursor` to read the next page; null: this is the last page" }),
);

/** Query of a list: at most `limit` rows from `cursor` on. */
export const paging = (defaultSize: number) => ({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.pageSizeMax,
      default: defaultSize,
      description: "Number of rows on a page",
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: CURSOR_LENGTH,
      description: "`nextCursor` of the page before; the first page without it",
    }),
  ),
});
