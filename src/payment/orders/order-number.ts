import { randomInt } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { legacyTime } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';

const RANDOM_DIGITS = 6;

/** Generates candidates for order numbers; the unique key decides whether one is free. */
@Injectable()
export class OrderNumbers {
  constructor(private readonly config: AppConfig) {}

  /** Returns `YmdHis` in the panel's zone followed by random digits: 20 digits, which every gateway accepts. */
  next(now: Date): string {
    const random = String(randomInt(10 ** RANDOM_DIGITS)).padStart(RANDOM_DIGITS, '0');
    return legacyTime(now, this.config.timezone).replace(/\D/g, '') + random;
  }
}
