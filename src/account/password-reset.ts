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

/** Sets a new password for the holder of a reset link. */
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
   * Also changes it on the server, if it is used for FTP. Ends all sessions, forgets known devices of the account, and notifies its owner.
   *
   * @throws AccountError RESET_LINK_OVER; HostingError if the password is invalid or the server rejects it
   */
  async run(token: string, password: string, call: CallContext): Promise<void> {
    const owner = await this.links.read(token);
    if (!owner) throw new AccountError('RESET_LINK_OVER');
    const { id, username, passwordHash: presentHash } = owner;
    const afterwards = async (): Promise<void> => {
      await this.note(id, username, call);
      await this.notices.send({
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
    // The owner may have used up the attempts before resetting, and must be able to sign in immediately.
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
