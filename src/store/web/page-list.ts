import { patternOf, type StorePageDeclaration } from './page-declaration.js';

/** A page that a script of its own fills. */
interface ClientPage extends StorePageDeclaration {
  /** Its module below `browser/pages/`, without `.js`. */
  readonly module: string;
}

const at = (path: string, module: string, more: Omit<ClientPage, 'path' | 'module' | 'view'>): ClientPage => ({
  path,
  module,
  view: 'client',
  ...more,
});

/** Pages that are filled in the browser. */
export const CLIENT_PAGES: readonly ClientPage[] = [
  at('account', 'profile', {
    title: 'profile.title',
    audience: 'developer',
    section: 'account',
    tab: { text: 'profile.title', order: 10 },
  }),
  at('account/sessions', 'sessions', {
    title: 'sessions.title',
    audience: 'developer',
    section: 'account',
    tab: { text: 'sessions.title', order: 20 },
  }),
  at('account/tokens', 'tokens', {
    title: 'tokens.title',
    audience: 'developer',
    section: 'account',
    tab: { text: 'tokens.title', order: 30 },
  }),
  at('developer/', 'own-items', { title: 'own.title', audience: 'developer' }),
  at('developer/submit', 'submit', { title: 'submit.title', audience: 'developer', showsDescriptions: true }),
  at('developer/items/:id', 'own-item', { title: 'own.item_title', audience: 'developer', showsDescriptions: true }),
  at('review/', 'review', { title: 'review.title', audience: 'admin', section: 'review', tab: { text: 'review.tab', order: 10 } }),
  at('review/items', 'review-items', {
    title: 'review_items.title',
    audience: 'admin',
    section: 'review',
    tab: { text: 'review_items.tab', order: 20 },
  }),
  at('review/items/:id', 'review-item', { title: 'review_item.title', audience: 'admin', section: 'review', showsDescriptions: true }),
  at('review/edits', 'review-edits', { title: 'edits.title', audience: 'admin', section: 'review', tab: { text: 'edits.tab', order: 30 } }),
  at('review/reports', 'reports', {
    title: 'reports.title',
    audience: 'admin',
    section: 'review',
    tab: { text: 'reports.tab', order: 40 },
  }),
  at('review/users', 'users', { title: 'users.title', audience: 'admin', section: 'review', tab: { text: 'users.tab', order: 50 } }),
  at('review/blocked', 'blocked', {
    title: 'blocked.title',
    audience: 'admin',
    section: 'review',
    tab: { text: 'blocked.tab', order: 60 },
  }),
  at('review/log', 'audit', { title: 'audit.title', audience: 'admin', section: 'review', tab: { text: 'audit.tab', order: 70 } }),
];

const PATTERNS = CLIENT_PAGES.map((page) => ({ page, pattern: patternOf(page.path) }));

/** The page at an exact address. */
export function clientPageAt(path: string): ClientPage | undefined {
  return PATTERNS.find(({ pattern }) => pattern.test(path))?.page;
}
