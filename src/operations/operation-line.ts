import { isApiKey } from '../auth/index.js';
import { LOCALES, takeChanges, translate, translateFor, type TextParams } from '../common/index.js';
import type { CallContext } from '../sdk/index.js';

import { AUDIT_LOCALE, type AuditEntry, type AuditLine } from './audit-log.js';
import { RequestContext } from './call/call.js';
import type { OperationDeclaration } from './operation.js';

/** Returns a line's text and its parameters. Only values the text has placeholders for are kept. */
export function auditLine(key: string, params: TextParams): AuditLine {
  const placeholders = new Set(LOCALES.flatMap((locale) => [...translate(locale, key).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)));
  const kept = Object.fromEntries(Object.entries(params).filter(([name]) => placeholders.has(name)));
  return { summary: translate(AUDIT_LOCALE, key, params), text: { key, params: kept } };
}

/** Returns the log line of a plugin's action. @param audit its text, or a key of the plugin's texts, translated for the reader */
export function pluginLine(plugin: string, audit: string): AuditLine {
  const translated = translateFor(plugin, AUDIT_LOCALE, audit);
  const what = { key: audit, owner: plugin, otherwise: translated };
  const text = translated === audit ? {} : { text: { key: 'operations.audit_of_plugin', params: { plugin, what } } };
  return { summary: `[${plugin}] ${translated}`, ...text, plugin };
}

/**
 * Returns the log entry of an operation, with the changes recorded so far.
 *
 * @example
 * ```ts
 * await this.audit.add(lineOfCall({ side: 'admin', gn: 'logsc' }, auditLine('account.audit.log_delete', { id }), ctx));
 * ```
 */
export function lineOfCall({ side, gn }: Pick<OperationDeclaration, 'side' | 'gn'>, line: AuditLine, call: CallContext): AuditEntry {
  const account = side === 'admin' ? call.admin : call.user;
  return {
    actor: account?.username ?? '-',
    category: gn,
    ...line,
    ip: call.ip,
    outcome: 'ok',
    account: account && !isApiKey(account) ? { side, id: account.id } : null,
    rid: RequestContext.requestIdOf(call),
    changes: takeChanges(call),
  };
}
