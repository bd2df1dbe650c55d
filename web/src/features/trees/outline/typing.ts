/** What typing into cells needs: loaded once a page shows, as what a browser loads at first has no room for it. */
export { CellInput } from "./cell-input.tsx";
export { lineIn, removeEmpty, shiftLine, shiftNew } from "./new-line.ts";
