import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Job, type JobTurn } from '../jobs/index.js';
import { Notices, registerNotice } from '../notify/index.js';

import { DnsProviders } from './dns-providers.js';
import type { DnsProvider } from './entities/index.js';
import { EntryRepository } from './entry-repository.js';
import { EntrySync } from './entry-sync.js';
import { WantedEntries } from './wanted-entries.js';

/** Consecutive failures before administrators are notified; wrong credentials are reported immediately. */
const NOTIFY_FROM = 4;

registerNotice({
  kind: 'system',
  title: { key: 'dns.notice_provider' },
  texts: [{ key: 'dns.notice_provider_text', params: { name: 'Cloudflare', problem: { key: 'dns.problem_unreachable' } } }],
});
registerNotice({
  kind: 'system',
  title: { key: 'dns.notice_failed' },
  texts: [{ key: 'dns.notice_failed_text', params: { n: 3 } }],
});

/** Keeps DNS records in sync with the customers' names. */
@Injectable()
export class DnsMaintenance {
  constructor(
    private readonly wanted: WantedEntries,
    private readonly sync: EntrySync,
    private readonly providers: DnsProviders,
    private readonly repository: EntryRepository,
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {}

  /** @returns number of records brought up to date */
  @Job({ name: 'dns-records', everyMinutes: 1, timeoutMinutes: 10 })
  async run(turn?: JobTurn): Promise<number> {
    await this.wanted.follow(turn?.signal);
    const done = await this.sync.run(turn?.signal);
    for (const provider of await this.providers.all()) await this.notifyProviderFailure(provider);
    const n = await this.repository.countFailed();
    if (n > 0) await this.notifyFailedRecords(n);
    return done;
  }

  private async notifyProviderFailure({ id, name, problem, problemParams, failures, failingSince }: DnsProvider): Promise<void> {
    if (failingSince === null || (failures < NOTIFY_FROM && problem !== 'denied' && problem !== 'settings')) return;
    await this.notices.send({
      to: 'administrators',
      kind: 'system',
      level: 'danger',
      key: `dns:provider:${id}:${failingSince.getTime()}`,
      title: { key: 'dns.notice_provider' },
      text: { key: 'dns.notice_provider_text', params: { name, problem: { key: `dns.problem_${problem}`, params: problemParams ?? {} } } },
      link: '/admin/dns',
    });
  }

  /** At most once a day. */
  private async notifyFailedRecords(n: number): Promise<void> {
    await this.notices.send({
      to: 'administrators',
      kind: 'system',
      level: 'warning',
      key: `dns:records:${this.clock.now().toISOString().slice(0, 10)}`,
      title: { key: 'dns.notice_failed' },
      text: { key: 'dns.notice_failed_text', params: { n } },
      link: '/admin/dns?dns-records.state=failed',
    });
  }
}
