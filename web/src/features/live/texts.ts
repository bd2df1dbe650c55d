/** Texts about who else is there. */
export const liveTexts = {
  /** Those whose names may not be known, or find no room, are counted. */
  here: (names: readonly string[], others: number): string => {
    const unnamed = others - names.length;
    const all = [
      ...names,
      ...(unnamed > 0 ? [`${unnamed} ${names.length > 0 ? "more" : liveTexts.others(others)}`] : []),
    ];
    return `Also here: ${all.join(", ")}`;
  },
  someone: "someone",
  others: (count: number): string => (count === 1 ? "other" : "others"),
} as const;
