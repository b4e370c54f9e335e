import { legacyTime, translate, type Locale } from '../common/index.js';
import type { OperationLog } from '../operations/index.js';

import { changeLines } from './log-changes.js';

/** Categories that programs of others know by Chinese names, and what they are called where a list is asked for one kind alone. */
const KINDS: Readonly<Record<string, string>> = { 登陆: 'sign_in', 支付回调: 'payment_notification' };
const CATEGORIES: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(KINDS).map(([category, kind]) => [kind, category]));
/** What lines of older panels call the same. */
const OLDER: Readonly<Record<string, string>> = { 登录: '登陆', 管理员登陆: '登陆', 用户登陆: '登陆', API: 'api.php' };

/** How actions end that say no more about it. */
const OUTCOMES: Readonly<Record<string, string>> = { ok: 'account.outcome_done', failed: 'account.outcome_failed' };

/** The category a kind of action is kept under. */
export const categoryOf = (kind: string): string => (Object.hasOwn(CATEGORIES, kind) ? CATEGORIES[kind]! : kind);

/** What a category is called in addresses and beside its words; one that nobody knows as it stands. */
export function kindOf(category: string): string {
  const present = presentOf(category);
  return Object.hasOwn(KINDS, present) ? KINDS[present]! : present;
}

const presentOf = (category: string): string => (Object.hasOwn(OLDER, category) ? OLDER[category]! : category);

/** A line of the operation log on the wire. */
export interface LogLine {
  id: number;
  czuser: string;
  /** Where it came in, of what somebody outside caused; empty for the actions of accounts and of the panel. */
  ly: string;
  date: string;
  lx: string;
  /** `lx` in words. */
  lxmc: string;
  lr: string;
  /** What was changed from what to what: a line for each thing, and one for each of its fields. */
  bg: string;
  /** `lr`, and {@link bg} below it. */
  lrbg: string;
  ip: string;
  qk: string;
  /** `qk` in words. */
  qkmc: string;
}

/** A line in the language of its reader. */
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

/** What kind of action a line is, in words; a plugin's own kind is told by its name. */
export function categoryLabel(category: string, plugin: string | null, locale: Locale): string {
  const key = `account.deed.${presentOf(category)}`;
  const words = translate(locale, key);
  if (words !== key) return words;
  return plugin === null ? category : translate(locale, 'account.deed_of_plugin', { slug: plugin });
}
