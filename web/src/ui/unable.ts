import type { MouseEvent, MouseEventHandler } from "react";

interface Able {
  readonly "aria-disabled"?: true;
  readonly onClick: MouseEventHandler<HTMLButtonElement> | undefined;
}

/**
 * Attributes of a button that may be of no use for a while. It then does nothing but keeps the focus, which a browser takes
 * from a disabled one.
 */
export const unableIf = (isUnable: boolean, onClick: Able["onClick"]): Able =>
  isUnable ? { "aria-disabled": true, onClick: (event: MouseEvent) => event.preventDefault() } : { onClick };
