/** The database that every test file's own is cloned from. A file of its own: the set-up loads a browser's driver. */
export const TEMPLATE = "template_estimation";
