interface Described {
  readonly "data-hint"?: string;
  readonly "aria-description"?: string;
}

/**
 * Attributes of what has a hint that its name does not say: it shows, and screen readers say it after the name. None where
 * there is no hint. The hint of a text in a row of a table shows with the focus on a control of that row.
 */
export const described = (hint: string | null | undefined): Described =>
  hint ? { "data-hint": hint, "aria-description": hint } : {};

/** Attributes of a text with a hint outside of rows: the keyboard reaches it like a control. */
export const hinted = (hint: string | null | undefined): Described & { readonly tabIndex?: 0 } =>
  hint ? { ...described(hint), tabIndex: 0 } : {};
