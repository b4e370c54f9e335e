/** Runs work of one site one at a time, in the order of the calls. */
export class SiteLocks {
  private readonly latest = new Map<string, Promise<unknown>>();

  /** Runs work after all earlier work of the site has settled. */
  run<T>(site: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.latest.get(site) ?? Promise.resolve()).then(work);
    const ended = mine.catch(() => undefined);
    this.latest.set(site, ended);
    void ended.then(() => {
      if (this.latest.get(site) === ended) this.latest.delete(site);
    });
    return mine;
  }
}
