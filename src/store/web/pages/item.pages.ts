import { Controller } from '@nestjs/common';

import { trustedHtml } from '../../../theme/index.js';
import { sliceOf } from '../../call/index.js';
import type { ItemType, StoreItem } from '../../entities/index.js';
import { shownHtml } from '../../html/index.js';
import { PublicItems } from '../../items/index.js';
import {
  ItemRatingsController,
  NO_RATING,
  RatingForm,
  RatingModerationController,
  RatingReportForm,
  Ratings,
  RatingsController,
  ReplyForm,
} from '../../ratings/index.js';
import { signedSince } from '../../packages/index.js';
import { REPORT_REASONS, ReportForm, ReportsController } from '../../review/index.js';

import { FormRedirect } from '../form-results.js';
import { itemView, versionView } from '../item-views.js';
import { RATINGS, showList } from '../lists/index.js';
import { formOf, idOf, type FormRequest, type PageRequest } from '../page-request.js';
import { StoreForm, StorePage } from '../store-page.js';

/** Pages of an item and its ratings. */
@Controller()
export class ItemPages {
  constructor(
    private readonly items: PublicItems,
    private readonly ratings: Ratings,
    private readonly itemRatings: ItemRatingsController,
    private readonly oneRating: RatingsController,
    private readonly moderation: RatingModerationController,
    private readonly reports: ReportsController,
  ) {}

  @StorePage({ path: 'items/:id', view: 'item', title: 'item.title', open: true, showsDescriptions: true })
  async item(request: PageRequest): Promise<object> {
    return this.show(await this.items.require({ id: idOf(request) }, request.call.caller), request);
  }

  @StorePage({ path: 'plugin/:slug', view: 'item', title: 'item.title', open: true, showsDescriptions: true })
  plugin(request: PageRequest): Promise<object> {
    return this.showBySlug('plugin', request);
  }

  @StorePage({ path: 'theme/:slug', view: 'item', title: 'item.title', open: true, showsDescriptions: true })
  theme(request: PageRequest): Promise<object> {
    return this.showBySlug('theme', request);
  }

  @StoreForm({ path: 'items/:id/report', page: 'item' }, ReportsController, 'report')
  async report(request: FormRequest): Promise<FormRedirect> {
    return back(request, await this.reports.report(request.call, idOf(request), formOf(ReportForm, request)));
  }

  @StoreForm({ path: 'items/:id/rate', page: 'item' }, ItemRatingsController, 'rate')
  async rate(request: FormRequest): Promise<FormRedirect> {
    const form = formOf(RatingForm, request, { stars: Number(request.fields.get('stars')) });
    return back(request, await this.itemRatings.rate(request.call.caller!, idOf(request), form));
  }

  @StoreForm({ path: 'items/:id/unrate', page: 'item' }, ItemRatingsController, 'remove')
  async unrate(request: FormRequest): Promise<FormRedirect> {
    const version = request.fields.get('version') ?? '';
    return back(request, await this.itemRatings.remove(request.call.caller!, idOf(request), { version }));
  }

  @StoreForm({ path: 'items/:id/reply', page: 'item' }, RatingsController, 'reply')
  async reply(request: FormRequest): Promise<FormRedirect> {
    return back(request, await this.oneRating.reply(request.call.caller!, ratingOf(request), formOf(ReplyForm, request)));
  }

  @StoreForm({ path: 'items/:id/report-rating', page: 'item' }, RatingsController, 'report')
  async reportRating(request: FormRequest): Promise<FormRedirect> {
    return back(request, await this.oneRating.report(request.call, ratingOf(request), formOf(RatingReportForm, request)));
  }

  @StoreForm({ path: 'items/:id/hide-rating', page: 'item' }, RatingModerationController, 'hide')
  async hideRating(request: FormRequest): Promise<FormRedirect> {
    return back(request, await this.moderation.hide(request.call, ratingOf(request), {}));
  }

  @StoreForm({ path: 'items/:id/show-rating', page: 'item' }, RatingModerationController, 'show')
  async showRating(request: FormRequest): Promise<FormRedirect> {
    return back(request, await this.moderation.show(request.call, ratingOf(request), {}));
  }

  private async showBySlug(type: ItemType, request: PageRequest): Promise<object> {
    const slugKey = request.params.slug!.toLowerCase();
    return this.show(await this.items.require({ type, slugKey }, request.call.caller), request);
  }

  private async show(item: StoreItem, request: PageRequest): Promise<object> {
    const { refused } = request;
    const { caller, locale } = request.call;
    const row = this.items.row(item, caller);
    const versions = await this.items.versions(item);
    const isAdmin = caller?.role === 'admin';
    const isAuthor = caller?.id === row.author_id;
    const ratings = await showList(RATINGS, `/store/items/${item.id}`, request, async ({ page, size }) => {
      const { total, items } = await this.ratings.page(item.id, sliceOf({ page, page_size: size }), isAdmin);
      return { total, rows: items.map((rating) => ({ ...rating })) };
    });
    const own = caller ? await this.ratings.of(item.id, caller.id) : [];
    const ownRating = own.find(({ version }) => version === item.version) ?? null;
    // Determines which of the page's forms is shown again.
    const sent = refused?.values ?? {};
    const inRating = 'stars' in sent;
    const inReply = 'rating' in sent && 'text' in sent && !('reason' in sent);
    return {
      title: row.name,
      item: { ...itemView(row, locale), href: `/store/${row.type}/${row.slug}` },
      description: trustedHtml(shownHtml(row.description)),
      versions: versions.map((version) => versionView(version, row, locale)),
      signed: signedSince(versions),
      is_author: isAuthor,
      is_admin: isAdmin,
      is_signed_in: caller !== null,
      ratings,
      in_rating: inRating,
      reply_form: inReply ? { ...sent, id: Number(sent.rating) } : null,
      may_rate: caller !== null && !isAuthor && item.status === 'approved',
      rated_version: item.version,
      own_rating: ownRating,
      rating_form: inRating ? { ...sent, stars: Number(sent.stars) } : (ownRating ?? { row_version: NO_RATING }),
      reasons: REPORT_REASONS,
      typed: inRating || inReply ? {} : sent,
    };
  }
}

const back = (request: FormRequest, answer: Parameters<typeof FormRedirect.after>[0]): FormRedirect =>
  FormRedirect.after(answer, `/store/items/${idOf(request)}`);

/** The rating selected by the button. @throws StoreError NOT_FOUND */
const ratingOf = (request: FormRequest): number => idOf({ ...request, params: { id: request.fields.get('rating') ?? '' } });
