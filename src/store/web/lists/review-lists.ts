import type { PlainList, ShownColumn } from '../../../web/index.js';
import { AUDIT_ACTIONS } from '../../audit/index.js';
import { EVERY_FIELD } from '../../items/index.js';
import { REPORT_REASONS } from '../../review/index.js';

import { STATES, TYPE, VERSION, DOWNLOADS, TYPE_CHOICES, stateChoices, wordsOf } from './common-columns.js';

/** Versions to review. */
export const QUEUE: PlainList = {
  id: 'list',
  empty: 'review.queue_empty',
  hint: 'review.queue_empty_text',
  whole: true,
  columns: [
    { field: 'item_name', title: 'field.name', kind: 'named', href: ({ item_id: id }) => `/store/review/items/${String(id)}` },
    TYPE,
    VERSION,
    {
      field: 'what',
      title: 'review.what',
      kind: 'badge',
      badges: { item: ['azure', 'review.new_item'], version: ['secondary', 'review.new_version'] },
    },
    { field: 'size_text', title: 'item.size', whole: true },
    { field: 'waiting', title: 'own.waiting_time', whole: true },
    { field: 'claimed', title: 'review.claimed', whole: true },
  ],
};

/** Items in any status. */
export const REVIEWED_ITEMS: PlainList = {
  id: 'list',
  empty: 'browse.empty',
  nothing: 'browse.nothing_found',
  text: { name: 'keyword', hint: 'browse.keyword_hint' },
  filters: [
    { field: 'type', label: 'browse.every_type', choices: TYPE_CHOICES },
    { field: 'status', label: 'common.every_status', choices: stateChoices('pending', 'approved', 'rejected', 'suspended') },
  ],
  columns: [
    { field: 'name', title: 'field.name', kind: 'named', href: ({ id }) => `/store/review/items/${String(id)}` },
    TYPE,
    { field: 'slug', title: 'field.slug', kind: 'code' },
    { field: 'author_name', title: 'item.author' },
    VERSION,
    { field: 'states', title: 'common.status', kind: 'pieces' },
    DOWNLOADS,
    { field: 'created_at', title: 'item.created', kind: 'day' },
  ],
};

const userChange = (label: string, confirm: string, field: string, from: string | boolean, to: string) => ({
  label,
  confirm,
  when: (row: Readonly<Record<string, unknown>>) => row[field] === from,
  post: ({ id }: Readonly<Record<string, unknown>>) => `/store/review/users/${String(id)}`,
  fields: () => ({ [field]: to }),
});

/** Edit requests. */
export const EDITS: PlainList = {
  id: 'list',
  card: 'edit_card',
  empty: 'edits.none',
  hint: 'edits.none_text',
  nothing: 'edits.none',
  filters: [{ field: 'status', label: 'common.every_status', choices: stateChoices('pending', 'approved', 'rejected', 'superseded') }],
  columns: [
    { field: 'created_at', title: 'audit.when', kind: 'moment' },
    { field: 'status', title: 'common.status', kind: 'badge', badges: STATES },
    TYPE,
    { field: 'item_name', title: 'field.name' },
    { field: 'field', title: 'audit.field', kind: 'badge', badges: wordsOf(EVERY_FIELD, 'field') },
    { field: 'old_value', title: 'edits.before' },
    { field: 'new_value', title: 'edits.after' },
    { field: 'review_msg', title: 'audit.note' },
  ],
};

/** Reports. */
export const REPORTS: PlainList = {
  id: 'list',
  card: 'report_card',
  empty: 'reports.none',
  hint: 'reports.none_text',
  nothing: 'reports.none',
  filters: [{ field: 'status', label: 'common.every_status', choices: stateChoices('open', 'closed') }],
  columns: [
    { field: 'created_at', title: 'audit.when', kind: 'moment' },
    { field: 'status', title: 'common.status', kind: 'badge', badges: STATES },
    TYPE,
    { field: 'item_name', title: 'field.name' },
    { field: 'reason', title: 'report.reason', kind: 'badge', badges: wordsOf(REPORT_REASONS, 'reason') },
    { field: 'text', title: 'report.text' },
    { field: 'reporter_name', title: 'audit.who', none: 'reports.by_visitor' },
    { field: 'ip', title: 'sessions.ip' },
  ],
};

const USER_COLUMNS: readonly ShownColumn[] = [
  { field: 'who', title: 'account.username', kind: 'pieces' },
  { field: 'recovery', title: 'recovery.title', kind: 'pieces' },
  { field: 'email', title: 'account.email' },
  {
    field: 'role',
    title: 'account.role',
    kind: 'badge',
    badges: { developer: ['secondary', 'role.developer'], admin: ['azure', 'role.admin'] },
  },
  { field: 'status', title: 'common.status', kind: 'badge', badges: STATES },
  { field: 'trusted_text', title: 'users.trusted' },
  { field: 'created_at', title: 'account.since', kind: 'day' },
];

/** User accounts. */
export const USERS: PlainList = {
  id: 'list',
  empty: 'browse.nothing_found',
  nothing: 'browse.nothing_found',
  text: { name: 'keyword', hint: 'users.keyword' },
  filters: [
    {
      field: 'role',
      label: 'users.every_role',
      choices: [
        ['developer', 'role.developer'],
        ['admin', 'role.admin'],
      ],
    },
    { field: 'status', label: 'common.every_status', choices: stateChoices('active', 'banned') },
  ],
  columns: USER_COLUMNS,
  // The exported file omits the account recovery links.
  file: USER_COLUMNS.filter(({ field }) => field !== 'recovery'),
  actions: [
    { ...userChange('users.ban', 'users.confirm_ban', 'status', 'active', 'banned'), tone: 'danger' },
    userChange('users.unban', 'users.confirm_unban', 'status', 'banned', 'active'),
    userChange('users.promote', 'users.confirm_promote', 'role', 'developer', 'admin'),
    userChange('users.trust', 'users.confirm_trust', 'trusted', false, 'true'),
    userChange('users.distrust', 'users.confirm_distrust', 'trusted', true, 'false'),
    userChange('users.demote', 'users.confirm_demote', 'role', 'admin', 'developer'),
  ],
};

/** Blocked files. */
export const BLOCKED_FILES: PlainList = {
  id: 'list',
  empty: 'blocked.none',
  hint: 'blocked.none_text',
  columns: [
    { field: 'sha256', title: 'blocked.sha256', kind: 'code' },
    { field: 'reason', title: 'blocked.reason' },
    { field: 'created_at', title: 'item.created', kind: 'day' },
  ],
  actions: [
    {
      label: 'blocked.unblock',
      post: ({ id }) => `/store/review/blocked/${String(id)}/unblock`,
      fields: () => ({}),
      confirm: 'blocked.confirm_unblock',
    },
  ],
};

/** Signing keys, current one first. */
export const SIGNING_KEYS: PlainList = {
  id: 'list',
  empty: 'keys.none',
  whole: true,
  columns: [
    { field: 'key_id', title: 'keys.id', kind: 'code' },
    { field: 'since', title: 'keys.since', kind: 'moment' },
    {
      field: 'state',
      title: 'keys.state',
      kind: 'badge',
      badges: { present: ['green', 'keys.present'], past: ['secondary', 'keys.past'] },
    },
  ],
};

/** Audit log. Pages of items and accounts link to it filtered by subject. */
export const LOG: PlainList = {
  id: 'list',
  empty: 'audit.none',
  nothing: 'audit.none',
  given: ['subject', 'subject_id'],
  narrowed: 'audit.only_about',
  filters: [{ field: 'action', label: 'audit.every_action', choices: AUDIT_ACTIONS.map((action) => [action, `action.${action}`]) }],
  columns: [
    { field: 'created_at', title: 'audit.when', kind: 'moment' },
    { field: 'who', title: 'audit.who', kind: 'pieces' },
    { field: 'done', title: 'audit.action' },
    { field: 'about', title: 'audit.subject', kind: 'pieces' },
    { field: 'details', title: 'audit.detail', kind: 'details' },
    { field: 'ip', title: 'sessions.ip', whole: true },
  ],
};
