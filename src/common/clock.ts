import { uptime } from 'node:os';

import { Injectable } from '@nestjs/common';

/** Where the time comes from: rules about time take it from here, so that a test can set it. */
@Injectable()
export class Clock {
  /** The present moment. */
  now(): Date {
    return new Date();
  }

  /** How long the machine has been running, in milliseconds: it goes on where the clock is set. */
  sinceBoot(): number {
    return uptime() * 1_000;
  }
}
