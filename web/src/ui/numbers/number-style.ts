/** How a locale writes numbers. Digits are those of the application's words, 0 to 9. */
export interface NumberStyle {
  readonly decimal: string;
  /** What stands between groups of digits; null where there is nothing. */
  readonly group: string | null;
  /** Whether only the last group has three digits, and the others two, as in India. */
  readonly hasPairs: boolean;
  /** Returns a number without groups, as it stands in a field. */
  readonly write: (value: number) => string;
}

export function styleOf(locale: string): NumberStyle {
  const options = { numberingSystem: "latn", useGrouping: "always" } as const;
  const parts = new Intl.NumberFormat(locale, options).formatToParts(12_345_678.5);
  const textOf = (name: string) => parts.find(({ type }) => type === name)?.value;
  const plain = new Intl.NumberFormat(locale, { ...options, useGrouping: false, maximumFractionDigits: 12 });
  return {
    decimal: textOf("decimal") ?? ".",
    group: textOf("group") ?? null,
    hasPairs: parts.filter(({ type }) => type === "integer").length > 3,
    write: (value) => plain.format(value),
  };
}
