import { Injectable } from '@nestjs/common';

import { executionContext, oneLine, translateFor, type TextRef } from '../../common/index.js';
import { AUDIT_LOCALE, AuditLog, OutsideLog } from '../../operations/index.js';
import type { LogText } from '../../sdk/index.js';
import { MAX_WORDS } from '../gateways/index.js';
import { traceWords } from '../notifications/index.js';

/** Actor and category of payment log lines, as used by existing installations. */
export const PAYMENT_CATEGORY = '支付回调';

/** Maximum characters of a value in a gateway's text. */
const MAX_VALUE = 200;

/** The payment log: lines in `SVC_log`. */
@Injectable()
export class PaymentLog {
  constructor(
    private readonly audit: AuditLog,
    private readonly outside: OutsideLog,
  ) {}

  /**
   * Writes a gateway's own line; never throws. If the request is not from an administrator, the text may contain the caller's input: the
   * line
   * is marked as quoted, and the number of lines per address is limited.
   */
  async ofGateway(slug: string, content: string | LogText, level = 'info'): Promise<void> {
    const { words, message } = saidBy(slug, content);
    const short = words.slice(0, MAX_WORDS);
    traceWords(message ?? { owner: slug, key: short, otherwise: short }, String(level));
    const call = executionContext.getStore()?.call;
    if (!call || call.admin) {
      const gatewayMessage = message && { key: 'payment.log.said', params: { gateway: slug, message } };
      return this.write(`[${slug}] ${words}`, level, undefined, gatewayMessage);
    }
    const outcome = String(level).replace(/\s+/g, ' ').slice(0, 32);
    const text = message && { key: 'payment.log.quoted', params: { message } };
    await this.outside.write({ source: slug, category: PAYMENT_CATEGORY, quoted: words, text, ip: call.ip, outcome });
  }

  /**
   * Writes one line; never throws.
   *
   * @param content short text; what exceeds its column is cut and stored in full with the level
   * @param level `info`, `warning`, `error`, or a word of the gateway's own
   * @param details more for troubleshooting, such as the notification; stored as JSON
   * @param words `content` for readers of any language; the gateway's slug is its value `gateway`
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

/**
 * Returns the message in Chinese, and as a text reference if it is a text of the plugin. Values may be the caller's, so they are one line.
 */
function saidBy(slug: string, content: unknown): { words: string; message?: TextRef } {
  if (typeof content !== 'object' || content === null) return { words: String(content) };
  const { key: named, params } = content as Partial<LogText>;
  const key = plainValue(named);
  const kept = Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, plainValue(value)]));
  const words = translateFor(slug, AUDIT_LOCALE, key, kept);
  return { words, message: { owner: slug, key, params: kept, otherwise: words } };
}

/** A single line without the quotation marks that delimit quoted text. */
function plainValue(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  return oneLine(String(value).slice(0, MAX_VALUE)).replaceAll('「', '[').replaceAll('」', ']');
}

/** A gateway's details may be circular, contain big integers, or throw when read. */
function detailText(details: Record<string, unknown>): string {
  try {
    return JSON.stringify(details, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  } catch {
    return '(details that cannot be written)';
  }
}
