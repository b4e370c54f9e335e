const FEWEST = 10;
const MOST = 200;
/** What one read may keep the event loop busy, in milliseconds: SQLite answers in the same turn. Waiting for a server costs nobody anything. */
const AIM_MS = 1.5;

/** How many rows to read at once: descriptions may have a hundred characters or 64 KB. */
export class ReadAmount {
  limit = 50;

  /** Runs a read of at most {@link limit} rows and learns from how long it takes. */
  async time<T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> {
    const begun = performance.eventLoopUtilization();
    const found = await read();
    const took = performance.eventLoopUtilization(begun).active;
    if (took > AIM_MS) this.limit = Math.max(FEWEST, this.limit >> 1);
    else if (took < AIM_MS / 2 && found.length === this.limit) this.limit = Math.min(MOST, this.limit * 2);
    return found;
  }
}
