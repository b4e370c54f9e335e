import { translate, type Locale } from '../../common/index.js';
import {
  type FoundRows,
  type ListRow,
  type ListState,
  type ListView,
  type Piece,
  plainList,
  type PlainList,
  type PlainListFile,
  type ShownColumn,
  type Translate,
} from '../../web/index.js';
import { AUDIT_ACTIONS } from '../audit/index.js';
import { EVERY_FIELD } from '../items/index.js';
import { REPORT_REASONS } from '../review/index.js';
import { ITEM_SORTS } from '../search/index.js';

import type { PageRequest } from './page-request.js';

type Choices = readonly (readonly [string, string])[];

const TYPES = { plugin: ['blue', 'type.plugin'], theme: ['purple', 'type.theme'] } as const;
const STATES = {
  pending: ['yellow', 'status.pending'],
  approved: ['green', 'status.approved'],
  rejected: ['red', 'status.rejected'],
  suspended: ['orange', 'status.suspended'],
  superseded: ['secondary', 'status.superseded'],
  active: ['green', 'status.active'],
  banned: ['red', 'status.banned'],
  open: ['yellow', 'status.open'],
  closed: ['secondary', 'status.closed'],
} as const;

const TYPE: ShownColumn = { field: 'type', title: 'browse.type', kind: 'badge', badges: TYPES };
const VERSION: ShownColumn = { field: 'version', title: 'field.version' };
const DOWNLOADS: ShownColumn = { field: 'downloads', title: 'item.downloads', kind: 'number' };
const TYPE_CHOICES: Choices = [
  ['plugin', 'type.plugin'],
  ['theme', 'type.theme'],
];
const stateChoices = (...states: readonly (keyof typeof STATES)[]): Choices => states.map((state) => [state, STATES[state][1]]);

/** Words of a few values, as a column of badges has them. */
const wordsOf = (values: readonly string[], keys: string): NonNullable<ShownColumn['badges']> =>
  Object.fromEntries(values.map((value) => [value, ['secondary', `${keys}.${value}`]]));

/** What everybody may look for. */
export const ITEMS: PlainList = {
  id: 'list',
  card: 'item_card',
  empty: 'browse.empty',
  hint: 'browse.empty_text',
  first: { href: '/store/developer/submit', label: 'submit.title' },
  nothing: 'browse.nothing_found',
  given: ['author_id'],
  narrowed: 'browse.only_author',
  text: { name: 'keyword', hint: 'browse.keyword_hint', most: 200 },
  filters: [
    { field: 'type', label: 'browse.every_type', choices: TYPE_CHOICES },
    { field: 'category', label: 'browse.every_category', choices: [], offered: true },
    { field: 'min_price', label: 'browse.min_price', choices: [], amount: true },
    { field: 'max_price', label: 'browse.max_price', choices: [], amount: true },
    // Cards have no headings to choose an order by.
    {
      field: 'sort',
      label: 'browse.sort_newest',
      choices: ITEM_SORTS.filter((sort) => sort !== 'newest').map((sort) => [sort, `browse.sort_${sort}`]),
    },
  ],
  // No file either: nobody has the whole catalogue read for every visitor who asks.
  columns: [],
};

/** What people say of an item. */
export const RATINGS: PlainList = { id: 'list', card: 'rating_card', empty: 'rating.none', columns: [] };

/** Items of whoever reads the page. */
export const OWN_ITEMS: PlainList = {
  id: 'list',
  empty: 'own.none',
  hint: 'own.none_text',
  nothing: 'browse.nothing_found',
  filters: [{ field: 'type', label: 'browse.every_type', choices: TYPE_CHOICES }],
  columns: [
    { field: 'name', title: 'field.name', kind: 'named', href: ({ id }) => `/store/developer/items/${String(id)}` },
    TYPE,
    VERSION,
    { field: 'status', title: 'common.status', kind: 'badge', badges: STATES },
    { field: 'price_text', title: 'field.price', whole: true },
    DOWNLOADS,
    { field: 'updated_at', title: 'item.updated', kind: 'day' },
  ],
};

/** Browsers that are signed in. */
export const SESSIONS: PlainList = {
  id: 'list',
  empty: 'sessions.title',
  whole: true,
  columns: [
    { field: 'browser', title: 'sessions.browser', kind: 'pieces' },
    { field: 'ip', title: 'sessions.ip', whole: true },
    { field: 'created_at', title: 'sessions.since', kind: 'moment' },
    { field: 'seen_at', title: 'sessions.seen', kind: 'moment' },
  ],
  actions: [
    {
      label: 'sessions.end',
      when: ({ current }) => current !== true,
      post: ({ id }) => `/store/account/sessions/${String(id)}/end`,
      fields: () => ({}),
      confirm: 'sessions.confirm_end',
    },
  ],
};

/** Wrong passwords by network. */
export const FAILURES: PlainList = {
  id: 'failures',
  beside: true,
  empty: 'failures.title',
  whole: true,
  columns: [
    { field: 'network', title: 'failures.network', kind: 'pieces' },
    { field: 'failures', title: 'failures.count', kind: 'number' },
    { field: 'first_at', title: 'failures.first', kind: 'moment' },
    { field: 'last_at', title: 'failures.last', kind: 'moment' },
  ],
};

/** Tokens of whoever reads the page. */
export const TOKENS: PlainList = {
  id: 'list',
  empty: 'tokens.none',
  hint: 'tokens.none_text',
  whole: true,
  columns: [
    { field: 'name', title: 'tokens.name', kind: 'named' },
    { field: 'scopes_text', title: 'tokens.scopes' },
    { field: 'item_text', title: 'tokens.item', none: 'tokens.every_item' },
    { field: 'expires_at', title: 'tokens.expires', kind: 'day' },
    { field: 'last_used_at', title: 'tokens.used', kind: 'moment', none: 'tokens.never' },
  ],
  actions: [
    {
      label: 'tokens.revoke',
      tone: 'danger',
      post: ({ id }) => `/store/account/tokens/${String(id)}/revoke`,
      fields: () => ({}),
      confirm: 'tokens.confirm_revoke',
    },
  ],
};

/** Who publishes an item beside its author, who alone decides about them. */
export const CO_AUTHORS: PlainList = {
  id: 'list',
  empty: 'authors.title',
  whole: true,
  columns: [{ field: 'who', title: 'account.username', kind: 'pieces' }],
  actions: [
    {
      label: 'authors.offer',
      when: ({ is_owner: isOwner, accepted }) => isOwner === true && accepted === true,
      post: ({ item_id: id }) => `/store/developer/items/${String(id)}/transfer`,
      fields: ({ user_id: id }) => ({ user_id: String(id) }),
      confirm: 'authors.confirm_offer',
    },
    {
      label: 'authors.remove',
      tone: 'danger',
      when: ({ is_owner: isOwner }) => isOwner === true,
      post: ({ item_id: id }) => `/store/developer/items/${String(id)}/authors/remove`,
      fields: ({ user_id: id }) => ({ user_id: String(id) }),
      confirm: 'authors.confirm_remove',
    },
  ],
};

/** What whoever reads the page is asked by authors. */
export const INVITATIONS: PlainList = {
  id: 'list',
  empty: 'invitations.none',
  hint: 'invitations.none_text',
  whole: true,
  columns: [
    {
      field: 'item',
      title: 'field.name',
      kind: 'named',
      notes: [
        { text: ({ kind, author, item }, say) => say(`invitations.${String(kind)}`, { author: String(author), item: String(item) }) },
      ],
    },
  ],
  actions: [
    {
      label: 'invitations.accept',
      tone: 'primary',
      post: ({ id }) => `/store/developer/invitations/${String(id)}/accept`,
      fields: () => ({}),
    },
    {
      label: 'invitations.decline',
      tone: 'danger',
      post: ({ id }) => `/store/developer/invitations/${String(id)}/decline`,
      fields: () => ({}),
      confirm: 'invitations.confirm_decline',
    },
  ],
};

/** Whether a webhook took the last message; its code is 0 where there was no answer at all. */
const isTaken = ({ last_code: code }: ListRow): boolean => Number(code) >= 200 && Number(code) < 300;
const answerOf = ({ last_code: code }: ListRow, say: Translate): string =>
  code === 0 ? say('webhooks.no_answer') : say('webhooks.answered', { code: Number(code) });

/** Where whoever reads the page is told of decisions. */
export const WEBHOOKS: PlainList = {
  id: 'list',
  empty: 'webhooks.none',
  hint: 'webhooks.none_text',
  whole: true,
  columns: [
    { field: 'url', title: 'webhooks.url', kind: 'code' },
    {
      field: 'last_at',
      title: 'webhooks.last',
      kind: 'moment',
      none: 'webhooks.never',
      notes: [
        { text: (row, say) => (isTaken(row) ? answerOf(row, say) : '') },
        { text: (row, say) => (isTaken(row) ? '' : answerOf(row, say)), tone: 'danger' },
      ],
    },
  ],
  actions: [
    { label: 'webhooks.test', post: ({ id }) => `/store/account/webhooks/${String(id)}/test`, fields: () => ({}) },
    {
      label: 'webhooks.remove',
      tone: 'danger',
      post: ({ id }) => `/store/account/webhooks/${String(id)}/remove`,
      fields: () => ({}),
      confirm: 'webhooks.confirm_remove',
    },
  ],
};

/** What waits for a decision. */
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

/** Items of every state. */
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

/** Changes authors ask for. */
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

/** What people report. */
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

/** Accounts. */
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
  // A link to what is done for who lost a password is none of a file's.
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

/** Files no package should have. */
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

/** Keys of the store, the one that signs first. */
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

/** What was done. What was done to one thing is linked from its page. */
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

/** What the page at `path` shows of a list, or its file; `read` gives the rows its address asks for. */
export function showList(
  list: PlainList,
  path: string,
  { query, call: { locale } }: PageRequest,
  read: (asked: ListState) => Promise<FoundRows>,
): Promise<ListView | PlainListFile> {
  return plainList(list, { path, query, locale }, (key, params) => translate(locale, `storePages.${key}`, params), read);
}

/** The part of a list that is read as a whole. */
export const partOf = (rows: FoundRows['rows'], { page, size }: ListState): FoundRows => ({
  total: rows.length,
  rows: rows.slice((page - 1) * size, page * size),
});

/** All rows of a list that is short. */
export const allOf = (rows: FoundRows['rows']) => (): Promise<FoundRows> => Promise.resolve({ total: rows.length, rows });

export const textPiece = (text: string): Piece => ({ kind: 'text', text });

/** A text with a longer one behind it; the text alone where there is none. */
export const foldPiece = (text: string, rest: string): Piece => (rest === '' ? textPiece(text) : { kind: 'fold', text, rest });

/** A badge. @param key of its text */
export const badgePiece = (locale: Locale, colour: string, key: string, params = {}): Piece => ({
  kind: 'badge',
  colour,
  text: translate(locale, `storePages.${key}`, params),
});

export const typePiece = (locale: Locale, type: string): Piece => pieceOf(TYPES, locale, type);

export const statePiece = (locale: Locale, state: string): Piece => pieceOf(STATES, locale, state);

/** One of a few, as a column of badges shows it. */
function pieceOf(badges: Readonly<Record<string, readonly [string, string]>>, locale: Locale, value: string): Piece {
  const [colour, key] = badges[value]!;
  return badgePiece(locale, colour, key);
}
