/** Work that is done one at a time for a site, in the order it was asked for. */
export class SiteTurns {
  private readonly latest = new Map<string, Promise<unknown>>();

  /** Does some once all before it has ended, however that ended. */
  take<T>(site: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.latest.get(site) ?? Promise.resolve()).then(work);
    const ended = mine.catch(() => undefined);
    this.latest.set(site, ended);
    void ended.then(() => {
      if (this.latest.get(site) === ended) this.latest.delete(site);
    });
    return mine;
  }
}
