import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Thread } from "../../../../contract/endpoints/threads.ts";

/** Returns the threads that `from` can be merged into: the current one only while the estimation is a draft. */
export const targetsOf = ({ status }: Estimation, from: Thread, threads: readonly Thread[]): readonly Thread[] =>
  threads.filter((one) => one.id !== from.id && one.status === "open" && (!one.current || status === "draft"));
