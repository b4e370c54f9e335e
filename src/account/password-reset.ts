import { Injectable } from '@nestjs/common';

import { SignInLimits } from '../auth/index.js';
import { AUDIT_LOCALE, AuditLog, RequestContext } from '../operations/index.js';
import { translate } from '../common/index.js';
import { HostingError, HostingService } from '../hosting/index.js';
import { Notices, registerNotice } from '../notify/index.js';
import type { CallContext } from '../sdk/index.js';

import { AccountError } from './errors.js';
import { ResetLinks } from './reset-links.js';

const TITLE = 'account.notice_reset_title';
const TEXT = 'account.notice_reset_text';

registerNotice({ kind: 'system', title: { key: TITLE }, texts: [{ key: TEXT, params: { ip: '203.0.113.7' } }] });

/** Sets another password for whoever has the link of a mail. */
@Injectable()
export class PasswordReset {
  constructor(
    private readonly links: ResetLinks,
    private readonly hosting: HostingService,
    private readonly notices: Notices,
    private readonly limits: SignInLimits,
    private readonly audit: AuditLog,
  ) {}

  /**
   * On the server too, where the password is that of FTP. With it end all sessions and known devices of the account, and its owner is told.
   *
   * @throws AccountError RESET_LINK_OVER; HostingError where the password breaks a rule or the server refuses it
   */
  async run(token: string, password: string, call: CallContext): Promise<void> {
    const owner = await this.links.read(token);
    if (!owner) throw new AccountError('RESET_LINK_OVER');
    const { id, username, passwordHash: presentHash } = owner;
    const afterwards = async (): Promise<void> => {
      await this.note(id, username, call);
      await this.notices.tell({
        to: { account: username },
        kind: 'system',
        level: 'warning',
        key: `password-reset:${RequestContext.requestIdOf(call)}`,
        title: { key: TITLE },
        text: { key: TEXT, params: { ip: call.ip } },
        link: '/user/sessions',
      });
    };
    try {
      await this.hosting.changePassword(id, password, { presentHash, afterwards });
    } catch (error) {
      throw error instanceof HostingError && error.code === 'ACCOUNT_STATE' ? new AccountError('RESET_LINK_OVER') : error;
    }
    // Whoever got here by ten wrong guesses of his own may sign in at once.
    await this.limits.forget({ side: 'user', account: username.toLowerCase(), ip: call.ip });
  }

  private note(id: number, username: string, call: CallContext): Promise<number> {
    const text = { key: 'account.log_reset', params: { user: username } };
    return this.audit.add({
      actor: username,
      category: 'zhmmcz',
      summary: translate(AUDIT_LOCALE, text.key, text.params),
      text,
      ip: call.ip,
      outcome: 'ok',
      account: { side: 'user', id },
      rid: RequestContext.requestIdOf(call),
    });
  }
}
