import { Injectable } from '@nestjs/common';

import { translate, type Locale } from '../../common/index.js';
import { drain, StaleForm, toErrorResponse } from '../../http/index.js';
import type { StoreRequest } from '../call/index.js';
import { HtmlRefusal } from '../html/index.js';
import { toStoreError } from '../http/index.js';
import { PackageRefusal } from '../packages/index.js';
import { StoreError, type StoreErrorCode } from '../errors.js';

/** A rejected form, in the reader's language. */
export interface Refusal {
  readonly code: StoreErrorCode;
  readonly status: number;
  readonly text: string;
  /** The form field the error is about, if any. */
  readonly field?: string;
  /** Set if another user saved the form meanwhile. */
  readonly stale?: StaleFields;
  readonly headers: Readonly<Record<string, string>>;
}

/** Values that changed since the form was loaded. */
interface StaleFields {
  /** By field name. */
  readonly now: Readonly<Record<string, { readonly label: string; readonly text: string }>>;
  /** Row version with which the form can be submitted again to overwrite the changes. */
  readonly row_version: string;
}

/** Labels of fields not named `field.…`. */
const LABELS: Readonly<Record<string, string>> = {
  avatar: 'account.avatar',
  bio: 'account.bio',
  email: 'account.email',
  key_id: 'keys.id',
  reply: 'rating.answer',
  stars: 'rating.stars',
  text: 'rating.text',
};

/** The form field of an error code. */
const FIELDS: Partial<Record<StoreErrorCode, string>> = {
  BETA_NEEDS_RELEASE: 'channel',
  CAPTCHA_MISSING: 'captcha',
  CAPTCHA_WRONG: 'captcha',
  CATEGORY_INVALID: 'category',
  CODE_REQUIRED: 'code',
  CODE_WRONG: 'code',
  CHANGELOG_TOO_LONG: 'changelog',
  DESCRIPTION_REQUIRED: 'description',
  DESCRIPTION_TOO_LONG: 'description',
  EMAIL_INVALID: 'email',
  EMAIL_TAKEN: 'email',
  HOMEPAGE_INVALID: 'homepage',
  NAME_INVALID: 'name',
  NAME_REQUIRED: 'name',
  NEW_PASSWORD_SHORT: 'newPassword',
  OLD_PASSWORD_WRONG: 'oldPassword',
  PASSWORD_LONG: 'password',
  PASSWORD_PUBLISHED: 'password',
  PASSWORD_SHORT: 'password',
  PLUGIN_EXISTS: 'slug',
  PRICE_INVALID: 'price',
  REQUIRES_INVALID: 'requires_svc',
  SLUG_INVALID: 'slug',
  SLUG_REQUIRED: 'slug',
  SLUG_RESERVED: 'slug',
  TAGS_INVALID: 'tags',
  THEME_EXISTS: 'slug',
  USERNAME_CHARACTERS: 'username',
  USERNAME_LENGTH: 'username',
  VERSION_INVALID: 'version',
  VERSION_REQUIRED: 'version',
  VERSION_USED: 'version',
  ZIP_ONLY: 'zipfile',
  ZIP_REQUIRED: 'zipfile',
};

function fieldOf(error: unknown): string | undefined {
  if (error instanceof PackageRefusal) return 'zipfile';
  if (error instanceof HtmlRefusal) return 'description';
  return error instanceof StoreError ? (error.field ?? FIELDS[error.code]) : undefined;
}

/** Describes a conflict with another user's changes. */
function staleForm(error: StaleForm, locale: Locale): Pick<Refusal, 'text' | 'stale'> {
  const { text, fields = {} } = toErrorResponse(error, locale);
  const labelOf = (name: string): string => translate(locale, `storePages.${LABELS[name] ?? `field.${name}`}`);
  const now = Object.fromEntries(Object.entries(fields).map(([name, words]) => [name, { label: labelOf(name), text: words }]));
  return { text, stale: { now, row_version: error.extras.row_version } };
}

/** Converts errors of forms to {@link Refusal}s. */
@Injectable()
export class Refusals {
  /** @returns null for server errors */
  async of(thrown: unknown, req: StoreRequest): Promise<Refusal | null> {
    const { locale } = req.store!;
    const error = toStoreError(thrown, req.url ?? '');
    const { status = 400, text, headers = {} } = toErrorResponse(error, locale, { path: req.url });
    if (status >= 500 && status !== 503) return null;
    // Reads the rest of the body, otherwise browsers do not read the response.
    await drain(req);
    const code = error instanceof StoreError ? error.code : 'INVALID';
    if (thrown instanceof StaleForm) return { code, status, headers, ...staleForm(thrown, locale) };
    const field = fieldOf(error);
    return { code, status, text, headers, ...(field ? { field } : {}) };
  }
}
