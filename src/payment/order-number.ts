import { randomInt } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { legacyTime } from '../common/index.js';
import { AppConfig } from '../config/index.js';

const RANDOM_DIGITS = 6;

/** Makes candidates for order numbers; whether one is free is for the unique key to say. */
@Injectable()
export class OrderNumbers {
  constructor(private readonly config: AppConfig) {}

  /** `YmdHis` in the panel's zone, then random digits: 20 digits, which every gateway takes. */
  next(now: Date): string {
    const random = String(randomInt(10 ** RANDOM_DIGITS)).padStart(RANDOM_DIGITS, '0');
    return legacyTime(now, this.config.timezone).replace(/\D/g, '') + random;
  }
}
