import { Injectable } from '@nestjs/common';

/**
 * Purpose of a call into a plugin, which determines its deadline. `page`: anything a page waits for while it is rendered;
 * `driver`: calls into a host driver; `work`: driver calls for long file operations, which end with their background task;
 * `action`: listeners that belong to no other kind.
 */
export type CallKind = 'page' | 'operation' | 'route' | 'payment' | 'channel' | 'driver' | 'work' | 'action' | 'durable' | 'cron';

/**
 * How long the panel waits for a call into a plugin, in milliseconds, by kind. A provider, so that custom panels and
 * tests can override it. Source: docs/plugin-api.md "Deadlines".
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
  /** How long an open circuit breaker rejects calls before it allows a trial call. */
  breakerPause = 60_000;
  /** Consecutive missed deadlines that open a circuit breaker. */
  breakerMisses = 5;
}
