import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { HostingService, PAUSE_REASON } from '../../hosting/index.js';
import { Notices } from '../../notify/index.js';
import { AgentError } from '../agent-error.js';
import { ForbiddenMatch } from '../entities/index.js';

import { AllowList, MAX_ALLOWED } from './allow-list.js';
import { QuarantineList } from './quarantine-list.js';
import { FileQuarantine } from './file-quarantine.js';
import { shownMatch } from './shown-match.js';

/** Actions on a match: add an exception, notify the host's owner, suspend the host, quarantine the file. */
export const MATCH_ACTIONS = ['hl', 'tz', 'zt', 'gl'] as const;

/** One of {@link MATCH_ACTIONS}. */
export type MatchAction = (typeof MATCH_ACTIONS)[number];

/** Runs the actions on matches. */
@Injectable()
export class MatchActions {
  constructor(
    private readonly database: Database,
    private readonly allowed: AllowList,
    private readonly hosting: HostingService,
    private readonly notices: Notices,
    private readonly quarantine: FileQuarantine,
    private readonly files: QuarantineList,
    private readonly clock: Clock,
  ) {}

  /** @throws AgentError MATCH_MISSING, MATCH_NO_HOST, ALLOW_FULL, QUARANTINE_UNABLE, QUARANTINE_STATE; HostingError of the pause */
  async do(id: number, action: MatchAction): Promise<void> {
    const match = await this.database.repository(ForbiddenMatch).findOneBy({ id });
    if (!match) throw new AgentError('MATCH_MISSING');
    if (action === 'hl') return this.passOver(match);
    if (action === 'gl') return this.takeOut(id);
    const host = match.hostId === null ? null : await this.hosting.get(match.hostId);
    if (!host) throw new AgentError('MATCH_NO_HOST');
    if (action === 'zt') return void (await this.hosting.pause(host.id, PAUSE_REASON.scan, 'admin'));
    await this.notices.send({
      to: { account: host.user },
      kind: 'scan',
      level: 'warning',
      // One notification per day: the owner may not have reacted yet.
      key: `scan-match:${id}:${this.clock.now().toISOString().slice(0, 10)}`,
      title: { key: 'node.notice_host' },
      text: { key: 'node.notice_host_text', params: { n: 1, ...shownMatch(match.keyword, match.file) } },
    });
  }

  private async passOver({ keyword, hostId, file }: ForbiddenMatch): Promise<void> {
    const rule = { keyword, hostId, path: file, note: '' };
    if ((await this.allowed.add(rule)) === null) throw new AgentError('ALLOW_FULL', { n: MAX_ALLOWED });
  }

  private async takeOut(id: number): Promise<void> {
    const file = await this.files.ofMatch(id);
    if (!file) throw new AgentError('MATCH_MISSING');
    if (!(await this.quarantine.take(file, 'admin'))) throw new AgentError('QUARANTINE_STATE');
  }
}
