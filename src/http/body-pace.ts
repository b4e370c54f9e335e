import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** How often senders are checked, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000;

/** A body being received. */
export interface Arriving {
  /** Bytes received. */
  readonly received: number;
  /** Times of the start and of the last received bytes, from `performance.now()`. */
  readonly startedAt: number;
  readonly lastDataAt: number;
  /** Disconnects its sender. */
  cut(): void;
}

/**
 * Enforces a minimum speed for all bodies. One rule gives every kind its deadline: the grace period plus a second per {@link
 * leastBytesPerSecond} of its limit (1 MB: 84 seconds, 64 MB: 69 minutes). A mobile connection that uploads at 16 kB/s succeeds; a client
 * that drips single bytes does not. The fields are settings: tests shorten them.
 */
@Injectable()
export class BodyPace implements OnModuleDestroy {
  /** Grace period before the speed is checked, in milliseconds. */
  graceMs = 20_000;
  /** Minimum mean speed after the grace period. */
  leastBytesPerSecond = 16 * 1024;
  /** Maximum time without data, in milliseconds. */
  idleMs = 30_000;

  private readonly arriving = new Set<Arriving>();
  private timer: NodeJS.Timeout | null = null;

  /** Monitors a body until {@link forget}. */
  watch(body: Arriving): void {
    this.arriving.add(body);
    this.timer ??= setInterval(() => this.check(), Math.min(CHECK_INTERVAL_MS, this.graceMs, this.idleMs)).unref();
  }

  forget(body: Arriving): void {
    this.arriving.delete(body);
  }

  /** Shortens the idle limit while the process shuts down, so that silent clients delay it by at most `idleMs`. */
  shortenIdle(idleMs: number): void {
    this.idleMs = Math.min(this.idleMs, idleMs);
  }

  onModuleDestroy(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private check(): void {
    const now = performance.now();
    for (const body of this.arriving) {
      if (
        now - body.lastDataAt <= this.idleMs &&
        body.received >= ((now - body.startedAt - this.graceMs) / 1_000) * this.leastBytesPerSecond
      )
        continue;
      this.arriving.delete(body);
      body.cut();
    }
  }
}
