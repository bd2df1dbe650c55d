import type { Outage } from "../outage.ts";

const STARTS = 2;

export const outage: Outage = {
  what: `PostgreSQL crashes, and ${STARTS} more processes of the service start on the same data, and are refused, before it is back`,
  endsByItself: true,
  async begin({ signalDatabase, startAnother }) {
    await signalDatabase("SIGKILL");
    await Promise.all(Array.from({ length: STARTS }, startAnother));
  },
  async end() {},
};
