import { Clock } from '../../src/common/index.js';

/** A clock that stands still until the test moves it. */
export class ManualClock extends Clock {
  private running = 3_600_000;

  constructor(private at = new Date('2026-11-21T04:05:00.000Z')) {
    super();
  }

  override now(): Date {
    return new Date(this.at);
  }

  advance(milliseconds: number): void {
    this.at = new Date(this.at.getTime() + milliseconds);
  }

  override sinceBoot(): number {
    return this.running;
  }

  /** Time goes by while nothing runs: not by somebody who sets the clock. */
  sleep(milliseconds: number): void {
    this.advance(milliseconds);
    this.running += milliseconds;
  }

  set(moment: Date): void {
    this.at = moment;
  }
}
