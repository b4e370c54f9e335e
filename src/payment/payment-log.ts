import { Injectable } from '@nestjs/common';

import { executionContext, type TextRef } from '../common/index.js';
import { AuditLog, OutsideLog } from '../operations/index.js';

import { traceWords } from './notify-trace.js';

/** Actor and category of payment lines, as deployed panels write and filter them. */
export const PAYMENT_CATEGORY = '支付回调';

/** The payment log: lines of `SVC_log`. */
@Injectable()
export class PaymentLog {
  constructor(
    private readonly audit: AuditLog,
    private readonly outside: OutsideLog,
  ) {}

  /**
   * A line of a gateway's own; never throws. While it serves somebody who is no administrator the words may be that caller's: the line
   * says so, and an address writes a bounded number of them.
   */
  async ofGateway(slug: string, content: string, level = 'info'): Promise<void> {
    traceWords(String(content), String(level));
    const call = executionContext.getStore()?.call;
    if (!call || call.admin) return this.write(`[${slug}] ${content}`, level);
    const outcome = String(level).replace(/\s+/g, ' ').slice(0, 32);
    await this.outside.write({ source: slug, category: PAYMENT_CATEGORY, quoted: String(content), ip: call.ip, outcome });
  }

  /**
   * Writes one line; never throws.
   *
   * @param content short text; what does not fit its column is cut there and kept whole with the level
   * @param level `info`, `warning`, `error`, or a word of the gateway's own
   * @param details more for whoever looks into it, such as the notification; kept as JSON
   * @param words the same as `content` for readers of any language; the slug of a gateway stands there as the value `gateway`
   */
  async write(content: string, level = 'info', details?: Record<string, unknown>, words?: TextRef): Promise<void> {
    const text = String(content);
    const whole = text.length > 200 ? `\n${text}` : '';
    await this.audit.write({
      actor: PAYMENT_CATEGORY,
      category: PAYMENT_CATEGORY,
      summary: text,
      text: words,
      ip: executionContext.getStore()?.call?.ip ?? '',
      outcome: `${level}${whole}${details ? `\n${detailText(details)}` : ''}`,
    });
  }
}

/** What a gateway hands over may be circular, hold big integers or throw when it is read. */
function detailText(details: Record<string, unknown>): string {
  try {
    return JSON.stringify(details, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  } catch {
    return '(details that cannot be written)';
  }
}
