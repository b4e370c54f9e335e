import { Controller } from '@nestjs/common';

import { translate, type Locale } from '../../../common/index.js';
import { AppConfig } from '../../../config/index.js';
import type { Piece } from '../../../web/index.js';
import { AdminUsersController, UserChangeForm, type User } from '../../accounts/index.js';
import type { StoreRole } from '../../entities/index.js';
import { Ratings } from '../../ratings/index.js';
import { AuditController, type AuditEntryDto, DigestForm, ModerationController, Note } from '../../review/index.js';

import { auditView } from '../audit-view.js';
import { FormRedirect } from '../form-results.js';
import { BLOCKED_FILES, LOG, REPORTS, showList, textPiece, USERS } from '../lists/index.js';
import { backTo, formOf, idOf, numberOf, type FormRequest, type PageRequest, withKnown } from '../page-request.js';
import { StoreForm, StorePage } from '../store-page.js';

const SUBJECT = /^[a-z]{1,20}$/;

/** A page of an API list. */
interface Part<Row> {
  readonly items: readonly Row[];
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
}

/** Pages for reports, accounts, blocked files and the audit log. */
@Controller()
export class ModerationPages {
  constructor(
    private readonly moderation: ModerationController,
    private readonly accounts: AdminUsersController,
    private readonly log: AuditController,
    private readonly ratings: Ratings,
    private readonly config: AppConfig,
  ) {}

  @StorePage({
    path: 'review/reports',
    view: 'reports',
    title: 'reports.title',
    needs: ['admin'],
    menu: { title: 'reports.tab', order: 40 },
  })
  async reports(request: PageRequest): Promise<object> {
    const list = await showList(REPORTS, '/store/review/reports', request, async ({ page, size, filters }) => {
      const wanted = filters as { status?: 'open' | 'closed' };
      const { total, items } = await this.moderation.reports({ ...wanted, page, page_size: size });
      const rated = await this.ratings.byIds(items.flatMap(({ rating_id: id }) => id ?? []));
      return { total, rows: items.map((row) => ({ ...row, rating: rated.find(({ id }) => id === row.rating_id) ?? null })) };
    });
    return { list };
  }

  @StoreForm({ path: 'review/reports/:id/close', page: 'reports' }, ModerationController, 'close')
  async closeReport(request: FormRequest): Promise<FormRedirect> {
    const answer = await this.moderation.close(request.call, idOf(request), await formOf(Note, request));
    return FormRedirect.after(answer, backTo(request, '/store/review/reports'));
  }

  @StorePage({
    path: 'review/users',
    view: 'users',
    title: 'users.title',
    needs: ['admin'],
    menu: { title: 'users.tab', order: 50 },
  })
  async users(request: PageRequest): Promise<object> {
    const list = await showList(USERS, '/store/review/users', request, async ({ page, size, text, filters }) => {
      const wanted = { ...(filters as { role?: StoreRole; status?: User['status'] }), keyword: text, page, page_size: size };
      const { total, users } = (await this.accounts.list(wanted)) as { total: number; users: User[] };
      return {
        total,
        rows: users.map((user) => ({
          ...user,
          name: user.username,
          who: whoOf(user),
          recovery: [recoveryPiece(request.call.locale, user.id)],
          trusted_text: translate(request.call.locale, `storePages.trusted.${String(user.trusted)}`),
        })),
      };
    });
    return { list };
  }

  @StoreForm({ path: 'review/users/:id', page: 'users' }, AdminUsersController, 'change')
  async changeUser(request: FormRequest): Promise<FormRedirect> {
    const answer = await this.accounts.change(idOf(request), formOf(UserChangeForm, request, trustOf(request)), request.call);
    return FormRedirect.after(answer, backTo(request, '/store/review/users'));
  }

  @StorePage({
    path: 'review/blocked',
    view: 'blocked',
    title: 'blocked.title',
    needs: ['admin'],
    menu: { title: 'blocked.tab', order: 60 },
  })
  async blocked(request: PageRequest): Promise<object> {
    const { query, refused } = request;
    const list = await showList(BLOCKED_FILES, '/store/review/blocked', request, async ({ page, size }) => {
      const { total, items } = await this.moderation.blocked({ page, page_size: size });
      return { total, rows: items.map((file) => ({ ...file })) };
    });
    // Package file lists link here with the digest.
    return { list, typed: { sha256: query.sha256 ?? '', ...refused?.values } };
  }

  @StoreForm({ path: 'review/blocked', page: 'blocked' }, ModerationController, 'block')
  async block(request: FormRequest): Promise<FormRedirect> {
    return FormRedirect.after(await this.moderation.block(request.call, await formOf(DigestForm, request)), '/store/review/blocked');
  }

  @StoreForm({ path: 'review/blocked/:id/unblock', page: 'blocked' }, ModerationController, 'unblock')
  async unblock(request: FormRequest): Promise<FormRedirect> {
    return FormRedirect.after(await this.moderation.unblock(request.call, idOf(request)), backTo(request, '/store/review/blocked'));
  }

  @StorePage({
    path: 'review/log',
    view: 'log',
    title: 'audit.title',
    needs: ['admin'],
    menu: { title: 'audit.tab', order: 70 },
  })
  async entries(request: PageRequest): Promise<object> {
    const { query, call } = request;
    const { locale } = call;
    const about = {
      subject: SUBJECT.test(query.subject ?? '') ? query.subject : undefined,
      subject_id: numberOf(request, 'subject_id'),
    };
    const list = await showList(LOG, '/store/review/log', withKnown(request, about), async ({ page, size, filters }) => {
      const wanted = { ...filters, ...about, page, page_size: size };
      const { total, items } = (await this.log.list(wanted)) as Part<AuditEntryDto>;
      return { total, rows: items.map((entry) => auditView(entry, locale)) };
    });
    const { timezone: timeZone } = this.config;
    const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' }).formatToParts();
    return {
      list,
      zone: zone.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone,
    };
  }
}

/** Forms send booleans as text. */
function trustOf({ fields }: FormRequest): { trusted?: boolean } {
  const given = fields.get('trusted');
  return given === null ? {} : { trusted: given === 'true' };
}

/** Link to the account recovery page. */
const recoveryPiece = (locale: Locale, id: number): Piece => ({
  kind: 'link',
  text: translate(locale, 'storePages.recovery.open'),
  href: `/store/review/users/${id}/recovery`,
});

/** User name with avatar. */
function whoOf({ username, avatar }: User): Piece[] {
  return [{ kind: 'avatar', text: username.slice(0, 1), href: avatar }, textPiece(username)];
}
