/** Maximum lines and bytes one plugin may log per {@link WINDOW_MS}. */
const MAX_LINES = 100;
const MAX_BYTES = 256 * 1024;
const WINDOW_MS = 10_000;
/** Maximum plugins counted separately, so that made-up names do not fill the memory. */
const MAX_OWNERS = 1_000;

/** What a plugin has logged since the process started. */
export interface LogVolume {
  readonly lines: number;
  readonly bytes: number;
  /** Lines that were dropped. */
  readonly dropped: number;
}

interface Account {
  lines: number;
  bytes: number;
  dropped: number;
  windowEnd: number;
  windowLines: number;
  windowBytes: number;
  windowDropped: number;
}

/**
 * Keeps a plugin from flooding the log: of lines logged by or about it, 100 lines or 256 KB per ten seconds are written,
 * and one line reports how many were dropped.
 */
export class LogThrottle {
  private readonly accounts = new Map<string, Account>();

  /**
   * @param reportDropped logs how many lines of an owner were dropped
   * @param now returns the time in milliseconds
   */
  constructor(
    private readonly reportDropped: (owner: string, dropped: number) => void,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts a line; returns whether it may be written. */
  admits(owner: string, bytes: number): boolean {
    const account = this.accountOf(owner);
    const now = this.now();
    if (now >= account.windowEnd) this.open(owner, account, now);
    account.windowLines += 1;
    account.windowBytes += bytes;
    if (account.windowLines <= MAX_LINES && account.windowBytes <= MAX_BYTES) {
      account.lines += 1;
      account.bytes += bytes;
      return true;
    }
    account.dropped += 1;
    account.windowDropped += 1;
    // Reported at the end of the window even if the plugin logs nothing more.
    if (account.windowDropped === 1) setTimeout(() => this.flushDropped(owner, account), Math.max(0, account.windowEnd - now)).unref();
    return false;
  }

  /** Returns what an owner has logged. */
  volume(owner: string): LogVolume {
    const { lines = 0, bytes = 0, dropped = 0 } = this.accounts.get(owner) ?? {};
    return { lines, bytes, dropped };
  }

  private open(owner: string, account: Account, now: number): void {
    this.flushDropped(owner, account);
    Object.assign(account, { windowEnd: now + WINDOW_MS, windowLines: 0, windowBytes: 0 });
  }

  private flushDropped(owner: string, account: Account): void {
    const dropped = account.windowDropped;
    account.windowDropped = 0;
    if (dropped > 0) this.reportDropped(owner, dropped);
  }

  private accountOf(owner: string): Account {
    let account = this.accounts.get(owner);
    if (!account) {
      if (this.accounts.size >= MAX_OWNERS) this.accounts.clear();
      this.accounts.set(
        owner,
        (account = { lines: 0, bytes: 0, dropped: 0, windowEnd: 0, windowLines: 0, windowBytes: 0, windowDropped: 0 }),
      );
    }
    return account;
  }
}
