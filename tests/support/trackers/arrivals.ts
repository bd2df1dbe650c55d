interface Awaited {
  readonly on: RegExp;
  left: number;
  readonly action: () => void;
}

/** Does things when requests arrive at a tracker, while their senders wait for the responses. */
export function createArrivals() {
  const awaited = new Set<Awaited>();
  return {
    /** Does something once: when the `nth` matching request from now arrives. Returns a function that cancels this. */
    onRequest(action: () => void, on = /./, nth = 1): () => void {
      const one = { on, left: nth, action };
      awaited.add(one);
      return () => void awaited.delete(one);
    },
    arrived(operation: string): void {
      for (const one of [...awaited]) {
        if (!one.on.test(operation)) continue;
        one.left -= 1;
        if (one.left > 0) continue;
        awaited.delete(one);
        one.action();
      }
    },
  };
}
