import { every, systemClock } from "../../platform/clock.ts";
import { type Running, tell } from "./halt.ts";
import { readPostmasterFile } from "./postmaster-file.ts";

const lookEveryMs = 1_000;

/**
 * After SIGTERM (its "smart" shutdown) PostgreSQL refuses new connections, and waits without end for those that the
 * service keeps open. Once PostgreSQL says that it is stopping, this ends it at once, so that it can be started again.
 * PostgreSQL writes its state into a file and tells nobody, so the file is read every second. Returns how to end the
 * watch.
 */
export function hurryWhenToldToStop(running: Running, log: (line: string) => void): () => void {
  let isOver = false;
  const cancel = every(systemClock, lookEveryMs, async () => {
    const file = await readPostmasterFile(running.cluster);
    // The watch may have been ended while the file was read.
    if (isOver || file?.pid !== running.pid || file.status !== "stopping") return;
    endWatch();
    log("Somebody told PostgreSQL to stop: ending its connections, so that it can be started again");
    await tell(running, "fast");
  });
  const endWatch = () => {
    isOver = true;
    cancel();
  };
  return endWatch;
}
