/**
 * A marker names the issue of a task in a repository: a comment that GitHub does not show, in the body of the issue. What
 * users write cannot contain one, because `quiet` breaks what begins like one, in code as well; a marker of another user cannot be guessed,
 * because most of it is random.
 */
const MARKER = /<!--[ \t]*exported-task[ \t]+([0-9A-Za-z_-]{16,80})[ \t]*-->/g;

/** The start of what would be read as a marker. */
export const MARKER_START = /<(?=!--[ \t]*exported-task)/g;

export const markerComment = (marker: string): string => `<!-- exported-task ${marker} -->`;

/** Returns the markers in the body of an issue, wherever people have moved them to. */
export const markersIn = (body: string): readonly string[] =>
  [...body.matchAll(MARKER)].flatMap(([, marker]) => (marker === undefined ? [] : [marker]));
