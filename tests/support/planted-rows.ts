import { atEndOfFile } from "./end-of-file.ts";
import { mountRows } from "./mount-rows.ts";

/** Serves a table of endpoints that are not in the contract, until the test file ends or `stop` is called. */
export const serveRows: typeof mountRows = async (...what) => {
  const served = await mountRows(...what);
  atEndOfFile(served.stop);
  return served;
};
