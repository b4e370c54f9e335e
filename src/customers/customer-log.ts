import { Injectable } from '@nestjs/common';

import { translate, type TextParams } from '../common/index.js';
import { AUDIT_LOCALE, AuditLog, RequestContext } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

/** No host or administrator has such a name, so a customer's actions cannot be confused with theirs. */
const actorOf = (username: string): string => `customer:${username}`;

/** Logs customers' actions in the operation log. */
@Injectable()
export class CustomerLog {
  constructor(private readonly audit: AuditLog) {}

  /** @param event `registered`, `signed_in`, …: the text `customers.log_<event>` */
  async note(event: string, username: string, call: CallContext, params: TextParams = {}): Promise<void> {
    const text = { key: `customers.log_${event}`, params };
    await this.audit.write({
      actor: actorOf(username),
      category: event.startsWith('signed_in') ? '登陆' : 'customer',
      summary: translate(AUDIT_LOCALE, text.key, params),
      text,
      ip: call.ip,
      outcome: 'ok',
      rid: RequestContext.requestIdOf(call),
    });
  }
}
