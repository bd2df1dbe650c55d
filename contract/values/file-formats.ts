/**
 * The formats of JSON files with an estimation that are read, the one that is written last. They rise when files get something that an
 * older program would not understand: `estimation/1` had no assumptions. Apart from the schemas, so that a browser can load it alone.
 */
export const fileFormats = ["estimation/1", "estimation/2"] as const;
