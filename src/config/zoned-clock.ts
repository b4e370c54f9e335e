import { Injectable } from '@nestjs/common';

import { Clock, legacyDay } from '../common/index.js';

import { AppConfig } from './app-config.js';

/** The clock in the time zone of the installation, for rules that count in days and texts that show times. */
@Injectable()
export class ZonedClock {
  /** IANA name of the zone, such as `Asia/Shanghai`. */
  readonly timezone: string;

  constructor(
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.timezone = config.timezone;
  }

  /** Returns the current time. */
  now(): Date {
    return this.clock.now();
  }

  /** Returns the current day in {@link timezone}: `YYYY-MM-DD`. */
  today(): string {
    return legacyDay(this.now(), this.timezone);
  }
}
