/**
 * The height of a line in pixels: fingers need more than a mouse. It is the same until the page is loaded again, because
 * positions are computed from it.
 */
export const ROW_HEIGHT = matchMedia("(pointer: coarse)").matches ? 40 : 32;
