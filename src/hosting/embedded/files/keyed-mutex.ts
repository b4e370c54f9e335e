/** Runs work with the same key one at a time, in the order requested; work with different keys runs in parallel. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<void>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.last.get(key) ?? Promise.resolve()).then(work);
    const ended = mine.then(ignore, ignore);
    this.last.set(key, ended);
    void ended.then(() => {
      if (this.last.get(key) === ended) this.last.delete(key);
    });
    return mine;
  }
}

function ignore(): void {}
