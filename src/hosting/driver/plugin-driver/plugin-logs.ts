import type { Readable } from 'node:stream';

import type { HostDriverStatistics } from '../../../sdk/index.js';
import type { SiteLogDay, SiteLogPart, StatisticsPort } from '../ports/index.js';

import { count, day, flag, list, record, stream, text } from './answers.js';
import type { DriverCalls } from './plugin-calls.js';
import { askOf } from './port-calls.js';
import { nodeOf } from './copies.js';

const MAX_GROWN = 100_000;
const MAX_DAYS = 1_000;
/** Maximum number of characters of a part of a log, and of a line. */
const MAX_READ = 1024 * 1024;
const MAX_LINE = 65_536;
const MAX_CURSOR = 64;

const logDay = record<SiteLogDay>({ day, bytes: count, isPacked: flag, isCut: flag });

/** Access logs of a plugin's kind of server. */
export function statisticsPort(calls: DriverCalls, port: HostDriverStatistics): StatisticsPort {
  const ask = askOf(calls, 'statistics');
  return {
    grown: (node, since, until) =>
      calls.ask({
        name: 'statistics.grown',
        node,
        until,
        run: (signal) => port.grown(nodeOf(node), since && new Date(since), signal),
        read: list(text(255), MAX_GROWN),
      }),
    read: (account, cursor, deadline) =>
      ask(
        'read',
        account,
        deadline,
        (own, signal) => port.read(own, cursor, signal),
        record<SiteLogPart>({ text: text(MAX_READ), next: text(MAX_CURSOR) }),
      ),
    last: (account, lines, deadline) =>
      ask('last', account, deadline, (own, signal) => port.last(own, lines, signal), list(text(MAX_LINE), lines)),
    days: (account, deadline) => ask('days', account, deadline, (own, signal) => port.days(own, signal), list(logDay, MAX_DAYS)),
    open: (account, wanted, deadline) =>
      ask(
        'open',
        account,
        deadline,
        (own, signal) => port.open(own, wanted, signal),
        record<{ log: SiteLogDay; content: Readable }>({ log: logDay, content: stream }),
      ),
  };
}
