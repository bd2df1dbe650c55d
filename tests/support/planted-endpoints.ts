import { atEndOfFile } from "./end-of-file.ts";
import { mountEndpoints } from "./mount-endpoints.ts";

/** Serves a table of endpoints that are not in the contract, until the test file ends or `stop` is called. */
export const serveEndpoints: typeof mountEndpoints = async (...what) => {
  const served = await mountEndpoints(...what);
  atEndOfFile(served.stop);
  return served;
};
