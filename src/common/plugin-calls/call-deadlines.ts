import { Injectable } from '@nestjs/common';

/**
 * What a call into a plugin is for; its deadline follows from it. `page` is all that somebody waits for while a page is built;
 * `driver` are calls into a host driver, `work` those of long work with files, which ends when its background task does;
 * `action` are listeners that belong to none of the others.
 */
export type CallKind = 'page' | 'operation' | 'route' | 'payment' | 'channel' | 'driver' | 'work' | 'action' | 'durable' | 'cron';

/**
 * How long the panel waits for a call into a plugin, in milliseconds, by its kind. A provider, so that a panel of its own kind, and
 * tests, can have others. Source: docs/plugin-api.md "Deadlines".
 */
@Injectable()
export class CallDeadlines implements Record<CallKind, number> {
  page = 2_000;
  operation = 30_000;
  route = 30_000;
  payment = 30_000;
  channel = 15_000;
  driver = 30_000;
  work = 3_600_000;
  action = 30_000;
  durable = 60_000;
  cron = 60_000;
  /** How long an open breaker refuses calls before it lets one try. */
  breakerPause = 60_000;
  /** Deadlines missed in a row that open a breaker. */
  breakerMisses = 5;
}
