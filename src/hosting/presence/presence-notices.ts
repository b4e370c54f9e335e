import { Injectable } from '@nestjs/common';

import { timeInSentence } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import { HostingAccount, type HostingNode } from '../entities/index.js';

for (const kind of ['away', 'back'] as const)
  registerNotice({
    kind: 'system',
    title: { key: `hosting.server_${kind}_title`, params: { server: 'local' } },
    texts: [{ key: `hosting.server_${kind}_text`, params: { since: '2027-01-31 12:00 UTC', n: 12 } }],
  });

/** Notifies administrators that a server is unreachable or back, in the transaction that records it. */
@Injectable()
export class PresenceNotices {
  constructor(
    private readonly notices: Notices,
    private readonly database: Database,
    private readonly config: AppConfig,
  ) {}

  away(node: HostingNode, since: Date): Promise<void> {
    return this.send('away', node, since);
  }

  back(node: HostingNode, since: Date): Promise<void> {
    return this.send('back', node, since);
  }

  private async send(kind: 'away' | 'back', node: HostingNode, since: Date): Promise<void> {
    const n = await this.database.repository(HostingAccount).countBy({ nodeCode: node.code });
    await this.notices.send({
      to: 'administrators',
      kind: 'system',
      level: kind === 'away' ? 'danger' : 'success',
      key: `server:${node.id}:${kind}:${since.getTime()}`,
      title: { key: `hosting.server_${kind}_title`, params: { server: node.code } },
      text: { key: `hosting.server_${kind}_text`, params: { since: timeInSentence(since, this.config.timezone), n } },
      link: `/admin/server?id=${node.id}`,
    });
  }
}
