import type { StoreRole } from '../entities/index.js';

/** A page: where it is, what runs in it, whom it is for. */
export interface StorePage {
  /** With `:id` (a number) and `:slug` in it. */
  readonly path: string;
  /** Its module below `browser/pages/`, without `.js`. */
  readonly module: string;
  /** Key of its title. */
  readonly title: string;
  /** Who may open it: everybody, whoever has this role at least. What it shows is the API's to refuse. */
  readonly audience: 'everybody' | StoreRole;
  /** Which row of tabs it belongs to. */
  readonly section?: 'account' | 'review';
  /** Key of its text in that row; what has none is no tab. */
  readonly tab?: string;
  /** Whether descriptions are shown on it, which may have pictures from elsewhere. */
  readonly showsDescriptions?: boolean;
}

/** Every page of the store. */
export const STORE_PAGES: readonly StorePage[] = [
  { path: '/store/', module: 'browse', title: 'browse.title', audience: 'everybody' },
  { path: '/store/items/:id', module: 'item', title: 'item.title', audience: 'everybody', showsDescriptions: true },
  { path: '/store/plugin/:slug', module: 'item', title: 'item.title', audience: 'everybody', showsDescriptions: true },
  { path: '/store/theme/:slug', module: 'item', title: 'item.title', audience: 'everybody', showsDescriptions: true },
  { path: '/store/login', module: 'login', title: 'login.title', audience: 'everybody' },
  { path: '/store/register', module: 'register', title: 'register.title', audience: 'everybody' },
  { path: '/store/account', module: 'profile', title: 'profile.title', audience: 'developer', section: 'account', tab: 'profile.title' },
  {
    path: '/store/account/sessions',
    module: 'sessions',
    title: 'sessions.title',
    audience: 'developer',
    section: 'account',
    tab: 'sessions.title',
  },
  {
    path: '/store/account/tokens',
    module: 'tokens',
    title: 'tokens.title',
    audience: 'developer',
    section: 'account',
    tab: 'tokens.title',
  },
  { path: '/store/developer/', module: 'own-items', title: 'own.title', audience: 'developer' },
  { path: '/store/developer/submit', module: 'submit', title: 'submit.title', audience: 'developer', showsDescriptions: true },
  { path: '/store/developer/items/:id', module: 'own-item', title: 'own.item_title', audience: 'developer', showsDescriptions: true },
  { path: '/store/review/', module: 'review', title: 'review.title', audience: 'admin', section: 'review', tab: 'review.tab' },
  {
    path: '/store/review/items',
    module: 'review-items',
    title: 'review_items.title',
    audience: 'admin',
    section: 'review',
    tab: 'review_items.tab',
  },
  {
    path: '/store/review/items/:id',
    module: 'review-item',
    title: 'review_item.title',
    audience: 'admin',
    section: 'review',
    showsDescriptions: true,
  },
  { path: '/store/review/edits', module: 'review-edits', title: 'edits.title', audience: 'admin', section: 'review', tab: 'edits.tab' },
  { path: '/store/review/reports', module: 'reports', title: 'reports.title', audience: 'admin', section: 'review', tab: 'reports.tab' },
  { path: '/store/review/users', module: 'users', title: 'users.title', audience: 'admin', section: 'review', tab: 'users.tab' },
  { path: '/store/review/blocked', module: 'blocked', title: 'blocked.title', audience: 'admin', section: 'review', tab: 'blocked.tab' },
  { path: '/store/review/log', module: 'audit', title: 'audit.title', audience: 'admin', section: 'review', tab: 'audit.tab' },
];

const PATTERNS = STORE_PAGES.map((page) => ({
  page,
  pattern: new RegExp(`^${page.path.replace(':id', '[1-9]\\d{0,9}').replace(':slug', '[A-Za-z0-9_-]{1,63}')}$`),
}));

/** The page at an exact address. */
export function pageAt(path: string): StorePage | undefined {
  return PATTERNS.find(({ pattern }) => pattern.test(path))?.page;
}
