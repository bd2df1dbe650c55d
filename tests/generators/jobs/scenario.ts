/** The account of the job, at the service whose address is the argument. */
export const account = {
  baseUrl: String(process.argv[2]),
  email: `${crypto.randomUUID()}@example.com`,
  password: "a password of the job",
};

/** A tree with work in it. */
export const tree = () => [
  {
    title: "Payment",
    kind: "multi" as const,
    options: [{ title: "By card", selected: true, hours: { optimistic: 8, likely: 13, pessimistic: 24 } }],
  },
];

/** Returns `value`; throws where it is nothing or false. */
export function must<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null || value === false) throw new Error("the response is another one");
  return value;
}
