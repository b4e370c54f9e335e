import { Injectable } from '@nestjs/common';

import type { MonitorTask } from '../entities/index.js';

import { since, type CheckKind } from './check-kind.js';
import { MonitorProbe, newResolver } from './monitor-probe.js';
import { failed, passed, unanswered, type CheckOutcome } from './outcome.js';
import { asciiName, isPublicName } from './targets.js';

/** Supported record types. */
export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'] as const;

/** One of {@link RECORD_TYPES}. */
export type RecordType = (typeof RECORD_TYPES)[number];

/** Queries the name servers for the records of a name, each as text. */
export type RecordLookup = (name: string, type: RecordType) => Promise<string[]>;

/**
 * Looks up a DNS record and optionally compares it. Only public names and addresses that monitors may reach are allowed, so that it cannot
 * be used to resolve internal names.
 */
@Injectable()
export class DnsCheck implements CheckKind {
  /** Replaced in tests. */
  lookup: RecordLookup = lookUp;

  constructor(private readonly probe: MonitorProbe) {}

  async check(task: MonitorTask): Promise<CheckOutcome> {
    if (!isPublicName(task.url)) return unanswered('internal');
    const start = performance.now();
    const found = await this.find(task);
    const ms = since(start);
    if ('problem' in found) return unanswered(found.problem, ms);
    const { records } = found;
    const [type] = [task.recordType];
    if ((type === 'A' || type === 'AAAA') && !this.probe.permits(records)) return unanswered('internal', ms);
    const shown = records.join('\n');
    const wanted = task.contentValue ?? '';
    if (task.contentRule === 'contains' && !records.some((record) => record.includes(wanted)))
      return failed({ key: 'monitor.problem.record' }, ms, null, shown);
    if (task.contentRule === 'not_contains' && records.some((record) => record.includes(wanted)))
      return failed({ key: 'monitor.problem.record' }, ms, null, shown);
    return passed(ms, null, shown);
  }

  private async find(task: MonitorTask): Promise<{ records: string[] } | { problem: 'name' | 'timeout' }> {
    let timeout: NodeJS.Timeout | undefined;
    try {
      const late = new Promise<never>((_resolve, reject) => {
        timeout = setTimeout(() => reject(Object.assign(new Error('too late'), { late: true })), task.timeoutSeconds * 1_000);
      });
      return { records: await Promise.race([this.lookup(asciiName(task.url), task.recordType as RecordType), late]) };
    } catch (error) {
      return { problem: (error as { late?: boolean }).late ? 'timeout' : 'name' };
    } finally {
      clearTimeout(timeout);
    }
  }
}

async function lookUp(name: string, type: RecordType): Promise<string[]> {
  const resolver = newResolver();
  switch (type) {
    case 'MX':
      return (await resolver.resolveMx(name)).map(({ exchange, priority }) => `${priority} ${exchange}`);
    case 'TXT':
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    default:
      return (await resolver.resolve(name, type)) as string[];
  }
}
