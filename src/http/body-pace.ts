import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** How often senders are looked at, in milliseconds. */
const LOOK_MS = 1_000;

/** A body that is on its way. */
export interface Arriving {
  /** Bytes that have come. */
  readonly received: number;
  /** When it began and when something of it came last, as `performance.now()` tells it. */
  readonly begunAt: number;
  readonly heardAt: number;
  /** Cuts its sender off. */
  cut(): void;
}

/**
 * How fast a body has to come, whatever it is for: one rule gives every kind its deadline, which is the grace and a second for each
 * {@link leastBytesPerSecond} of its limit (1 MB: 84 seconds, 64 MB: 69 minutes). A mobile line that uploads with 16 kB/s gets through; who
 * drips a byte now and then does not. The fields are settings: tests make them short.
 */
@Injectable()
export class BodyPace implements OnModuleDestroy {
  /** How long a body may take before its speed counts, in milliseconds. */
  graceMs = 20_000;
  /** Mean speed from the end of the grace on. */
  leastBytesPerSecond = 16 * 1024;
  /** How long nothing may come, in milliseconds. */
  idleMs = 30_000;

  private readonly arriving = new Set<Arriving>();
  private timer: NodeJS.Timeout | null = null;

  /** Watches a body until {@link forget}. */
  watch(body: Arriving): void {
    this.arriving.add(body);
    this.timer ??= setInterval(() => this.look(), Math.min(LOOK_MS, this.graceMs, this.idleMs)).unref();
  }

  forget(body: Arriving): void {
    this.arriving.delete(body);
  }

  /** The process ends: who sends nothing holds it up no longer than `idleMs`. */
  hurry(idleMs: number): void {
    this.idleMs = Math.min(this.idleMs, idleMs);
  }

  onModuleDestroy(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private look(): void {
    const now = performance.now();
    for (const body of this.arriving) {
      if (now - body.heardAt <= this.idleMs && body.received >= ((now - body.begunAt - this.graceMs) / 1_000) * this.leastBytesPerSecond)
        continue;
      this.arriving.delete(body);
      body.cut();
    }
  }
}
