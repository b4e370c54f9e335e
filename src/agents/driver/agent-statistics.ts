import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import type { DriverAccount, DriverNode, DriverResult, SiteLogDay, SiteLogPart, StatisticsPort, TrafficPort } from '../../hosting/index.js';

import { mapped, ServerCalls } from './server-calls.js';

/** Maximum number of pages requested, far more than a server has sites for. */
const MAX_PAGES = 200;

/** Access logs and traffic of sites on servers with an agent. */
@Injectable()
export class AgentStatistics implements StatisticsPort {
  constructor(private readonly calls: ServerCalls) {}

  /** Traffic per month, counted by the agent from the same logs. */
  readonly traffic: TrafficPort = {
    isCountedHere: false,
    ofMonth: async (account, month, deadline) =>
      mapped(await this.calls.site(account, 'traffic.month', { month }, deadline), ({ bytes }) => bytes),
  };

  async grown(node: DriverNode, since: Date | null, deadline: AbortSignal): Promise<DriverResult<readonly string[]>> {
    const names: string[] = [];
    let after: string | null = null;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const part: DriverResult<{ readonly sites: readonly string[]; readonly next: string | null }> = await this.calls.server(
        node,
        'logs.grown',
        { since: since?.getTime() ?? null, after },
        deadline,
      );
      if (!('value' in part)) return part;
      names.push(...part.value.sites);
      if (part.value.next === null || part.value.next === after) break;
      after = part.value.next;
    }
    return { outcome: 'ok', value: names };
  }

  async read(account: DriverAccount, cursor: string, deadline: AbortSignal): Promise<DriverResult<SiteLogPart>> {
    const read = await this.calls.buffered(account, 'logs.read', { cursor }, deadline);
    return mapped(read, ({ value, bytes }) => ({ text: bytes.toString('latin1'), next: value.next }));
  }

  async last(account: DriverAccount, lines: number, deadline: AbortSignal): Promise<DriverResult<readonly string[]>> {
    const read = await this.calls.buffered(account, 'logs.last', { lines }, deadline);
    return mapped(read, ({ bytes }) =>
      bytes
        .toString('latin1')
        .split('\n')
        .filter((line) => line !== ''),
    );
  }

  async days(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<readonly SiteLogDay[]>> {
    return mapped(await this.calls.site(account, 'logs.days', {}, deadline), ({ days }) => days);
  }

  async open(account: DriverAccount, day: string, deadline: AbortSignal): Promise<DriverResult<{ log: SiteLogDay; content: Readable }>> {
    const days = await this.days(account, deadline);
    if (!('value' in days)) return days;
    const log = days.value.find((one) => one.day === day);
    if (!log) return { outcome: 'not_found' };
    const opened = await this.calls.opened(account, 'logs.open', { day }, deadline);
    // The log may have grown since; the size of the transfer is reported.
    return mapped(opened, ({ content, bytes }) => ({ log: { ...log, bytes: bytes ?? log.bytes }, content }));
  }
}
