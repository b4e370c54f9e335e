import type { CallDeadlines, CallKind } from './call-deadlines.js';
import { PluginCallError } from './errors.js';

/** Kinds whose calls are rejected while a callback keeps missing its deadline; the others are retried later automatically. */
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

/** Statistics of the calls of one place since its plugin was activated. */
export interface CallStatistics {
  readonly owner: string;
  /** Such as `listener of menu.admin` or `route GET /shop/{id}`. */
  readonly place: string;
  readonly calls: number;
  readonly errors: number;
  readonly timeouts: number;
  /** Average in milliseconds, waiting included; sampled for synchronous listeners. */
  readonly mean: number;
  /** Longest known call, in milliseconds. */
  readonly longest: number;
  /** Whether its circuit breaker is open, so that calls are rejected. */
  readonly paused: boolean;
}

/** A callback of a plugin, or its listeners of one hook: its call counters and its circuit breaker. */
export class CallPlace {
  calls = 0;
  errors = 0;
  timeouts = 0;
  /** Number of timed calls. */
  timed = 0;
  /** Total of the timed calls, in milliseconds. */
  totalTime = 0;
  /** In milliseconds. */
  longestTime = 0;
  /** Whether the circuit breaker is open. A field, because it is read before every call. */
  paused = false;

  private misses = 0;
  /** `performance.now()` from which on one trial call is allowed. */
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
   * Checks whether a paused place may be called: one trial call at a time is allowed after the pause.
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

  /** Records a call that took `milliseconds`. */
  record(milliseconds: number): void {
    this.timed += 1;
    this.totalTime += milliseconds;
    this.noteLongest(milliseconds);
  }

  /** Updates the longest call, also for calls that are not timed otherwise. */
  noteLongest(milliseconds: number): void {
    if (milliseconds > this.longestTime) this.longestTime = milliseconds;
  }

  /** Records a call that ended in time, whether it succeeded or failed. @returns whether that closed the circuit breaker */
  ended(): boolean {
    this.misses = 0;
    if (!this.paused) return false;
    this.paused = false;
    this.trying = false;
    return true;
  }

  /** Records a missed deadline. @returns whether that opened the circuit breaker */
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

  /** The current statistics. */
  get statistics(): CallStatistics {
    const { owner, name, calls, errors, timeouts, timed, totalTime, longestTime, paused } = this;
    return { owner, place: name, calls, errors, timeouts, mean: timed === 0 ? 0 : totalTime / timed, longest: longestTime, paused };
  }
}
