import { legacyTime, operationNameKey, translate, type Locale } from '../common/index.js';
import type { OperationLog } from '../operations/index.js';

import { changeLines } from './log-changes.js';

/** Categories with Chinese names, for compatibility with third-party programs, and the kinds used in list filters. */
const KINDS: Readonly<Record<string, string>> = { 登陆: 'sign_in', 支付回调: 'payment_notification' };
const CATEGORIES: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(KINDS).map(([category, kind]) => [kind, category]));
/** Equivalent categories in lines of older panels. */
const OLDER: Readonly<Record<string, string>> = { 登录: '登陆', 管理员登陆: '登陆', 用户登陆: '登陆', API: 'api.php' };

/** Outcomes without further details. */
const OUTCOMES: Readonly<Record<string, string>> = { ok: 'account.outcome_done', failed: 'account.outcome_failed' };

/** Returns the category of a kind of action. */
export const categoryOf = (kind: string): string => (Object.hasOwn(CATEGORIES, kind) ? CATEGORIES[kind]! : kind);

/** Returns the kind of a category, for URLs; an unknown category is returned unchanged. */
export function kindOf(category: string): string {
  const present = presentOf(category);
  return Object.hasOwn(KINDS, present) ? KINDS[present]! : present;
}

const presentOf = (category: string): string => (Object.hasOwn(OLDER, category) ? OLDER[category]! : category);

/** A line of the operation log on the wire. */
export interface LogLine {
  id: number;
  czuser: string;
  /** Source of a line caused by an outsider; empty for actions of accounts and of the panel. */
  ly: string;
  date: string;
  lx: string;
  /** Display name of `lx`. */
  lxmc: string;
  lr: string;
  /** The changes: a line for each record, and one for each of its fields. */
  bg: string;
  /** `lr`, with {@link bg} below it. */
  lrbg: string;
  ip: string;
  qk: string;
  /** Display name of `qk`. */
  qkmc: string;
}

/** Returns a line in the reader's language. */
export function logLine(row: OperationLog, locale: Locale, timezone: string): LogLine {
  const what = row.text ? translate(locale, row.text.key, row.text.params) : row.summary;
  const qk = row.text?.outcome ? translate(locale, row.text.outcome.key, row.text.outcome.params) : (row.outcome ?? '');
  const changed = changeLines(row, locale, timezone).join('\n');
  return {
    id: row.id,
    czuser: row.actor,
    ly: row.source ?? '',
    date: legacyTime(row.createdAt, timezone),
    lx: row.category,
    lxmc: categoryLabel(row.category, row.plugin, locale),
    lr: what,
    bg: changed,
    lrbg: changed === '' ? what : `${what}\n${changed}`,
    ip: row.ip,
    qk,
    qkmc: Object.hasOwn(OUTCOMES, qk) ? translate(locale, OUTCOMES[qk]!) : qk,
  };
}

/** Returns the display name of a category; a plugin's own category is named after the plugin. */
export function categoryLabel(category: string, plugin: string | null, locale: Locale): string {
  const key = operationNameKey(presentOf(category));
  if (key !== null) return translate(locale, key);
  return plugin === null ? category : translate(locale, 'account.operation_of_plugin', { slug: plugin });
}
