import type { PlainList } from '../../../web/index.js';

/** Browser sessions. */
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

/** Failed sign-ins by network. */
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

/** The reader's API tokens. */
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
