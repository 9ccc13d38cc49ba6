// A readers-writer lock: some work runs side by side, some alone.
/** Work begins in the order of the calls. */
export interface Lock {
  /** Runs work at the same time as other work of `together`. */
  together<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work alone, after all earlier work has ended; later work waits for it. Must not be nested. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export function createLock(): Lock {
  /** Resolves when the latest work of `alone` has ended. */
  let lastAlone: Promise<unknown> | undefined;
  /** All work that runs or waits. */
  const unfinished = new Set<Promise<unknown>>();

  const track = <T>(admitted: Promise<T>): Promise<T> => {
    unfinished.add(admitted);
    const untrack = () => void unfinished.delete(admitted);
    admitted.then(untrack, untrack);
    return admitted;
  };

  return {
    together: (work) => track(lastAlone ? lastAlone.then(work) : work()),
    alone(work) {
      const earlier = Promise.allSettled([...unfinished]);
      const admitted = track(earlier.then(work));
      const ended = admitted.then(
        () => {},
        () => {},
      );
      lastAlone = ended;
      void ended.then(() => {
        if (lastAlone === ended) lastAlone = undefined;
      });
      return admitted;
    },
  };
}
