/** Returns what a request has in common with others of its kind: method and path, without ids and numbers. */
export const shapeOf = (method: string, path: string): string =>
  `${method} ${path
    .split("?", 1)[0]
    ?.replace(/[a-z]+_[0-9a-z]{26}/g, ":id")
    .replace(/\d+/g, "0")}`;
