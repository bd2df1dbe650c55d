/**
 * Returns a function to await before short work that blocks the process. At most `most` calls go on in one turn of the
 * event loop, in the order of the calls, so that everything else is done in between.
 */
export function createFewPerTurn(most: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const beginTurn = () => {
    for (const goOn of waiting.splice(0, most)) goOn();
    if (waiting.length > 0) setImmediate(beginTurn);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(beginTurn);
    });
}
