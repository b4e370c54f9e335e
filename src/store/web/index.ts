import './texts.js';

import { ExactAddress } from './exact-address.js';
import { STORE_FORMS, STORE_PAGES, type DeclaredStoreForm, type StorePageDeclaration } from './page-declaration.js';
import { StorePageSender } from './store-page-sender.js';
import { AccountPages } from './pages/account.pages.js';
import { AuthorPages } from './pages/author.pages.js';
import { DeveloperPages } from './pages/developer.pages.js';
import { ItemPages } from './pages/item.pages.js';
import { ModerationPages } from './pages/moderation.pages.js';
import { PublicPages } from './pages/public.pages.js';
import { RecoveryPages } from './pages/recovery.pages.js';
import { ReviewPages } from './pages/review.pages.js';
import { SigningPages } from './pages/signing.pages.js';
import { SignInPages } from './pages/sign-in.pages.js';
import { Refusals } from './refusals.js';
import { formsOf, pagesOf } from './store-page.js';
import { StoreFiles } from './store-files.js';

export { ApiPageController } from './api-page.controller.js';
export { FallbackController, PagesController, StoreRootController } from './pages.controller.js';

/** Page controllers with their forms. */
export const PAGE_CONTROLLERS = [
  PublicPages,
  ItemPages,
  SignInPages,
  RecoveryPages,
  AccountPages,
  DeveloperPages,
  AuthorPages,
  ReviewPages,
  ModerationPages,
  SigningPages,
];

/** All pages of the store. */
export const PAGES: readonly StorePageDeclaration[] = pagesOf(PAGE_CONTROLLERS);

/** All forms, by path. */
export const FORMS: ReadonlyMap<string, DeclaredStoreForm> = formsOf(PAGE_CONTROLLERS);

/** Providers of the pages. */
export const STORE_WEB = [
  ExactAddress,
  StorePageSender,
  Refusals,
  StoreFiles,
  { provide: STORE_PAGES, useValue: PAGES },
  { provide: STORE_FORMS, useValue: FORMS },
];
