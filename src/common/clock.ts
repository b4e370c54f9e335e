import { uptime } from 'node:os';

import { Injectable } from '@nestjs/common';

/** Source of the current time. Time rules use it so that a test can set the time. */
@Injectable()
export class Clock {
  /** Returns the current time. */
  now(): Date {
    return new Date();
  }

  /** Returns the uptime of the machine in milliseconds; it is unaffected when the clock is set. */
  sinceBoot(): number {
    return uptime() * 1_000;
  }
}
