import { Clock, legacyDay } from '../../src/common/index.js';

/** Clock that only moves when the test moves it; also replaces a `ZonedClock` in the default zone. */
export class ManualClock extends Clock {
  readonly timezone = 'Asia/Shanghai';
  private running = 3_600_000;

  constructor(private at = new Date('2026-11-21T04:05:00.000Z')) {
    super();
  }

  override now(): Date {
    return new Date(this.at);
  }

  today(): string {
    return legacyDay(this.at, this.timezone);
  }

  advance(milliseconds: number): void {
    this.at = new Date(this.at.getTime() + milliseconds);
  }

  override sinceBoot(): number {
    return this.running;
  }

  /** Advances the clock and the uptime, as if nothing ran meanwhile; unlike {@link set}, this is not a change of the clock. */
  sleep(milliseconds: number): void {
    this.advance(milliseconds);
    this.running += milliseconds;
  }

  set(moment: Date): void {
    this.at = moment;
  }
}
