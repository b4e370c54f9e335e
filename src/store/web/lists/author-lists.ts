import type { ListRow, PlainList, Translate } from '../../../web/index.js';

import { STATES, TYPE, VERSION, DOWNLOADS, TYPE_CHOICES } from './common-columns.js';

/** The reader's items. */
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

/** Co-authors of an item, managed only by its author. */
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

/** Pending invitations of the reader. */
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

/** Whether the last webhook delivery succeeded; code 0 means no response. */
const isTaken = ({ last_code: code }: ListRow): boolean => Number(code) >= 200 && Number(code) < 300;
const answerOf = ({ last_code: code }: ListRow, say: Translate): string =>
  code === 0 ? say('webhooks.no_answer') : say('webhooks.answered', { code: Number(code) });

/** The reader's webhooks. */
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
