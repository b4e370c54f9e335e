/** The window of a caller. */
interface Window {
  count: number;
  /** Milliseconds since 1970. */
  endsAt: number;
}

/** Maximum callers remembered: a few megabytes. A client with more addresses than that could not be limited anyway. */
const MAX_CALLERS = 20_000;

/** Counts requests in fixed windows, in the memory of this process. */
export class MemoryWindows {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly rule: { limit: number; windowSeconds: number }) {}

  /** Counts one request. @param now milliseconds since 1970 @returns whole seconds to wait; 0 within the limit */
  hit(caller: string, now: number): number {
    const window = this.windows.get(caller);
    if (window === undefined || window.endsAt <= now) {
      this.begin(caller, now, window !== undefined);
      return 0;
    }
    window.count += 1;
    return window.count <= this.rule.limit ? 0 : Math.ceil((window.endsAt - now) / 1_000);
  }

  /** Resets all windows. */
  clear(): void {
    this.windows.clear();
  }

  private begin(caller: string, now: number, isKnown: boolean): void {
    // Reinserted, so that the map stays ordered by the end of the windows.
    if (isKnown) this.windows.delete(caller);
    else this.makeRoom(now);
    this.windows.set(caller, { count: 1, endsAt: now + this.rule.windowSeconds * 1_000 });
  }

  /** Removes ended windows, or the oldest one if all are open. */
  private makeRoom(now: number): void {
    if (this.windows.size < MAX_CALLERS) return;
    for (const [caller, { endsAt }] of this.windows) {
      if (endsAt > now && this.windows.size < MAX_CALLERS) return;
      this.windows.delete(caller);
    }
  }
}
