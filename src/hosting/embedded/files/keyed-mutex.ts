/** Runs work of the same key one after another, in the order it was asked for, and work of other keys beside it. */
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
