import type { CallDeadlines, CallKind } from './call-deadlines.js';
import { PluginCallError } from './errors.js';

/** Kinds whose callers are refused at once while a callback keeps missing its deadline; the others are tried again by themselves, later. */
const WITH_BREAKER: Record<CallKind, boolean> = {
  page: true,
  operation: true,
  route: true,
  payment: true,
  channel: true,
  driver: true,
  work: false,
  action: true,
  durable: false,
  cron: false,
};

/** What is known of the calls of one place since its plugin was activated. */
export interface CallStatistics {
  readonly owner: string;
  /** Such as `listener of menu.admin` or `route GET /shop/{id}`. */
  readonly place: string;
  readonly calls: number;
  readonly errors: number;
  readonly timeouts: number;
  /** Milliseconds on average, waiting included; of synchronous listeners from a sample. */
  readonly mean: number;
  /** Milliseconds of the longest call known. */
  readonly longest: number;
  /** Whether its breaker is open: callers are refused. */
  readonly paused: boolean;
}

/** One callback of a plugin, or its listeners of one hook: what was counted there, and whether it may be called. */
export class CallPlace {
  calls = 0;
  errors = 0;
  timeouts = 0;
  /** Calls the times are from. */
  timed = 0;
  /** Milliseconds of the timed calls. */
  totalTime = 0;
  /** Milliseconds. */
  longestTime = 0;
  /** Whether the breaker is open. Read before every call, so it is a field. */
  paused = false;

  private misses = 0;
  /** `performance.now()` from which on one call may try. */
  private retryAt = 0;
  private trying = false;

  /**
   * @param id number in the memory shared with the watchdog
   */
  constructor(
    readonly owner: string,
    readonly name: string,
    readonly id: number,
    private readonly deadlines: CallDeadlines,
  ) {}

  /**
   * Asks whether a paused place may be called: one call at a time may try once its pause is over.
   *
   * @throws PluginCallError PLUGIN_PAUSED with the seconds to wait
   */
  requireOpen(): void {
    const now = performance.now();
    if (now >= this.retryAt && !this.trying) {
      this.trying = true;
      return;
    }
    const wait = this.trying ? 1 : Math.ceil((this.retryAt - now) / 1_000);
    throw new PluginCallError('PLUGIN_PAUSED', { plugin: this.owner, place: this.name, seconds: Math.max(1, wait) });
  }

  /** A call took `milliseconds`. */
  record(milliseconds: number): void {
    this.timed += 1;
    this.totalTime += milliseconds;
    this.noteLongest(milliseconds);
  }

  /** Some call took `milliseconds`, whether it is among the timed ones or not. */
  noteLongest(milliseconds: number): void {
    if (milliseconds > this.longestTime) this.longestTime = milliseconds;
  }

  /** A call ended in time, well or badly. @returns whether that closed the breaker */
  ended(): boolean {
    this.misses = 0;
    if (!this.paused) return false;
    this.paused = false;
    this.trying = false;
    return true;
  }

  /** A call missed its deadline. @returns whether that opened the breaker, which was closed */
  missed(kind: CallKind): boolean {
    this.timeouts += 1;
    this.misses += 1;
    if (!WITH_BREAKER[kind] || (!this.paused && this.misses < this.deadlines.breakerMisses)) return false;
    const opened = !this.paused;
    this.paused = true;
    this.trying = false;
    this.retryAt = performance.now() + this.deadlines.breakerPause;
    return opened;
  }

  /** The figures as they are now. */
  get statistics(): CallStatistics {
    const { owner, name, calls, errors, timeouts, timed, totalTime, longestTime, paused } = this;
    return { owner, place: name, calls, errors, timeouts, mean: timed === 0 ? 0 : totalTime / timed, longest: longestTime, paused };
  }
}
