/** A link between two tasks by their ids. */
interface Named {
  readonly from: string;
  readonly to: string;
}

/** Returns the indexes of links that form a cycle, in its order; null if there is none. */
export function findCycle(links: readonly Named[]): number[] | null {
  const leaving = new Map<string, number[]>();
  links.forEach(({ from }, index) => {
    const known = leaving.get(from);
    if (known) known.push(index);
    else leaving.set(from, [index]);
  });
  const done = new Set<string>();
  for (const start of leaving.keys()) {
    if (done.has(start)) continue;
    // The way from `start`: each step with the link that it was reached by and the links that are left to try.
    const way = [{ task: start, by: -1, next: 0 }];
    const on = new Map([[start, 0]]);
    for (let step = way.at(-1); step; step = way.at(-1)) {
      const index = leaving.get(step.task)?.[step.next];
      step.next += 1;
      if (index === undefined) {
        done.add(step.task);
        on.delete(step.task);
        way.pop();
        continue;
      }
      const { to } = links[index] as Named;
      const met = on.get(to);
      if (met !== undefined) return [...way.slice(met + 1).map(({ by }) => by), index];
      if (done.has(to)) continue;
      on.set(to, way.length);
      way.push({ task: to, by: index, next: 0 });
    }
  }
  return null;
}
