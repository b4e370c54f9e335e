import { Clock } from '../../src/common/index.js';

/** A clock that stands still until the test moves it. */
export class ManualClock extends Clock {
  constructor(private at = new Date('2026-11-21T04:05:00.000Z')) {
    super();
  }

  override now(): Date {
    return new Date(this.at);
  }

  advance(milliseconds: number): void {
    this.at = new Date(this.at.getTime() + milliseconds);
  }

  set(moment: Date): void {
    this.at = moment;
  }
}
