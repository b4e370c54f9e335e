import { Injectable } from '@nestjs/common';

import { translate, type TextRef, unpackWords } from '../../common/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import { AUDIT_LOCALE, AuditLog } from '../../operations/index.js';
import type { SiteMove } from '../entities/index.js';

registerNotice({
  kind: 'system',
  title: { key: 'moves.notice_failed', params: { user: 'customer1' } },
  texts: [{ key: 'moves.notice_failed_text', params: { from: 'bh1', to: 'bh2', reason: { key: 'moves.cancelled' } } }],
});
registerNotice({
  kind: 'system',
  title: { key: 'moves.notice_moved' },
  texts: [{ key: 'moves.notice_moved_text', params: { to: 'bh2' } }],
});

/**
 * Reports the outcome of moves: to administrators in the operation log and with a notice of failures, to owners when their site was
 * switched to another server.
 */
@Injectable()
export class MoveNotices {
  constructor(
    private readonly notices: Notices,
    private readonly audit: AuditLog,
  ) {}

  /** Reports that the site was switched to the other server. */
  async moved(row: SiteMove): Promise<void> {
    const { id, hostId, username, fromCode: from, toCode: to, returnedAt, by } = row;
    await this.note(by, { key: 'moves.audit_moved', params: { id: hostId, user: username, from, to } });
    await this.notices.send({
      to: { account: username },
      kind: 'system',
      level: 'info',
      key: `move:${id}:${returnedAt?.getTime() ?? 0}`,
      title: { key: 'moves.notice_moved' },
      text: { key: 'moves.notice_moved_text', params: { to } },
      link: '/user/',
    });
  }

  /** Reports a failed move. */
  async failed(row: SiteMove): Promise<void> {
    const { id, hostId, username, fromCode: from, toCode: to, error, by } = row;
    const reason = unpackWords(error ?? '');
    await this.note(by, { key: 'moves.audit_failed', params: { id: hostId, user: username, from, to } });
    await this.notices.send({
      to: 'administrators',
      kind: 'system',
      level: 'warning',
      key: `move:${id}:failed`,
      title: { key: 'moves.notice_failed', params: { user: username } },
      text: { key: 'moves.notice_failed_text', params: { from, to, reason } },
      link: `/admin/host-move?id=${hostId}`,
    });
  }

  /** Logs that running commands were terminated so that the site could be stopped. */
  commandsEnded({ hostId: id, username: user, by }: SiteMove, n: number): Promise<void> {
    return this.note(by, { key: 'moves.audit_commands_ended', params: { id, user, n } });
  }

  private async note(actor: string, text: TextRef): Promise<void> {
    const summary = translate(AUDIT_LOCALE, text.key, text.params);
    await this.audit.write({ actor, category: 'zjqy', summary, text, outcome: 'ok' });
  }
}
