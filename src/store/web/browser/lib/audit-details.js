// @ts-check
/** @import { AuditEntry } from '../api-types' */
/** @import { Child } from './dom.js' */
import { make } from './dom.js';
import { typeBadge } from './format.js';
import { t } from './i18n.js';

/** An account among the others; it has no page of its own. @param {string} name */
export const accountLink = (name) => make('a', { href: `/store/review/users?${new URLSearchParams({ keyword: name })}` }, name);

/** What an entry of the log is about. @param {AuditEntry} entry @returns {Child} */
export function subjectOf({ subject, item, user, detail }) {
  if (subject === 'digest') return make('code', { class: 'digest' }, String(detail.sha256 ?? ''));
  if (subject === 'token') return make('span', {}, String(detail.token ?? ''));
  if (subject === 'user') return user ? accountLink(user.username) : t('audit.gone');
  if (!item) return t('audit.gone');
  const name = item.exists ? make('a', { href: `/store/review/items/${item.id}` }, item.name) : t('audit.deleted', { name: item.name });
  return make('span', { class: 'log-subject' }, typeBadge(item.type), name);
}

/** How a part of the detail is shown: its label, and its value in words. @typedef {{ label: string, words: (value: unknown, entry: AuditEntry) => Child }} Part */

/** @param {string} kind beginning of the keys of its words, such as `status.` @returns {Part['words']} one value, or that before and that after */
const change = (kind) => (value) => [...new Set([value].flat())].map((one) => t(`${kind}${one}`)).join(' → ');
const changed = () => t('audit.changed');
/** @param {unknown} value */
const asItIs = (value) => make('span', { class: 'pre-line' }, String(value));
/** Said by the column of what it is about. */
const elsewhere = null;

/** @type {Record<string, Part | null>} */
const PARTS = {
  field: { label: t('audit.field'), words: (value) => t(`field.${value}`) },
  version: { label: t('field.version'), words: asItIs },
  from: { label: t('audit.before'), words: change('status.') },
  status: { label: t('common.status'), words: change('status.') },
  role: { label: t('account.role'), words: change('role.') },
  email: { label: t('account.email'), words: changed },
  avatar: { label: t('account.avatar'), words: changed },
  bio: { label: t('account.bio'), words: changed },
  slug: { label: t('field.slug'), words: (value) => make('code', {}, String(value)) },
  author_id: { label: t('item.author'), words: (_value, { user }) => user && accountLink(user.username) },
  reason: { label: t('report.reason'), words: (value, { subject }) => (subject === 'report' ? t(`reason.${value}`) : asItIs(value)) },
  blocked: { label: t('audit.blocked'), words: (value) => make('span', {}, ...[value].flat().map((sha256) => make('code', { class: 'digest d-block' }, String(sha256)))) },
  failures: { label: t('audit.failures'), words: asItIs },
  tokens_ended: { label: t('audit.tokens_ended'), words: (value) => (value === 0 ? null : asItIs(value)) },
  scopes: { label: t('audit.scopes'), words: (value) => [value].flat().map((scope) => t(`scope.${scope}`)).join(', ') },
  file: { label: t('audit.file'), words: (value) => make('a', { href: `/uploads/images/${value}` }, String(value)) },
  findings: { label: t('audit.findings'), words: (value) => make('span', {}, ...[value].flat().map((rule) => make('code', { class: 'd-block' }, String(rule)))) },
  msg: { label: t('audit.note'), words: asItIs },
  type: elsewhere,
  name: elsewhere,
  item_id: elsewhere,
  sha256: elsewhere,
  token: elsewhere,
};

/** What an entry of the log says besides. @param {AuditEntry} entry */
export function detailOf(entry) {
  const rows = Object.entries(PARTS).flatMap(([name, part]) => {
    const value = entry.detail[name];
    const words = part && value !== undefined && value !== null && value !== '' && part.words(value, entry);
    return words ? [make('div', {}, make('dt', {}, part.label), make('dd', {}, words))] : [];
  });
  return rows.length > 0 ? make('dl', { class: 'log-detail' }, ...rows) : '–';
}
