/** Work that a handler needs done outside of its transaction and of the record's lock. */
export class WorkFirst extends Error {
  readonly work: () => Promise<void>;
  constructor(work: () => Promise<void>) {
    super("work has to be done first");
    this.work = work;
  }
}

/**
 * Gives up here: `work` is done without any lock, then the request begins again. The handler itself keeps the result of
 * the work, and checks that it still fits. Only for handlers of `heavy` rows, before they write.
 */
export function leaveForWork(work: () => Promise<void>): never {
  throw new WorkFirst(work);
}
