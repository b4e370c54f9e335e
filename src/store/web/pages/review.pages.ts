import { Controller } from '@nestjs/common';

import type { Locale } from '../../../common/index.js';
import { StoreError } from '../../errors.js';
import { trustedHtml } from '../../../theme/index.js';
import type { Piece } from '../../../web/index.js';
import type { ItemStatus, ItemType } from '../../entities/index.js';
import { shownHtml } from '../../html/index.js';
import {
  type EditRequest,
  ItemsController,
  type ItemDetail,
  type ListedVersion,
  type Review,
  type ReviewedItem,
} from '../../items/index.js';
import {
  AdminItemsController,
  ApprovalNote,
  BlockNote,
  ManyForm,
  Note,
  PackageView,
  PackageViewController,
  ReviewQueue,
  ReviewQueueController,
  ReviewNote,
  type Stats,
} from '../../review/index.js';

import { downloadsChart } from '../downloads-chart.js';
import { durationText, numberText, sizeText } from '../formats.js';
import { FormRedirect, FormPage } from '../form-results.js';
import { itemFacts, itemView } from '../item-views.js';
import { allOf, badgePiece, EDITS, partOf, QUEUE, REVIEWED_ITEMS, showList, statePiece } from '../lists/index.js';
import { numberedLines, colouredDiff } from '../package-html.js';
import { backTo, formOf, idOf, type FormRequest, type PageRequest } from '../page-request.js';
import { editRequestView, findingsView } from '../review-views.js';
import { StoreForm, StorePage } from '../store-page.js';

const DAYS = 30;
const VERSION = /^[0-9A-Za-z.+_-]{1,32}$/;

/** Review pages for administrators. */
@Controller()
export class ReviewPages {
  constructor(
    private readonly admin: AdminItemsController,
    private readonly items: ItemsController,
    private readonly packages: PackageViewController,
    private readonly contents: PackageView,
    private readonly reviews: ReviewQueue,
    private readonly sharing: ReviewQueueController,
  ) {}

  @StorePage({
    path: 'review/',
    view: 'review',
    title: 'review.title',
    needs: ['admin'],
    menu: { title: 'review.tab', order: 10 },
  })
  async overview(request: PageRequest): Promise<object> {
    const { locale } = request.call;
    const [stats, queue] = await Promise.all([
      this.admin.statistics() as Promise<Stats>,
      this.admin.versions({ status: 'pending' }) as Promise<ListedVersion[]>,
    ]);
    const claims = await this.reviews.claims(queue.map(({ id }) => id));
    const rows = queue.map((row) => ({
      ...row,
      what: row.item_status === 'pending' ? 'item' : 'version',
      size_text: sizeText(locale, row.zip_size),
      waiting: durationText(locale, Math.max(0, (Date.now() - Date.parse(row.created_at)) / 1_000)),
      claimed: claims.get(row.id)?.by ?? '',
    }));
    return {
      stats,
      queue: rows,
      list: await showList(QUEUE, '/store/review/', request, allOf(rows)),
      days: DAYS,
      chart: downloadsChart(locale, 'stats.by_day', stats.days, DAYS),
    };
  }

  @StorePage({
    path: 'review/items',
    view: 'review-items',
    title: 'review_items.title',
    needs: ['admin'],
    menu: { title: 'review_items.tab', order: 20 },
  })
  async list(request: PageRequest): Promise<object> {
    const { locale } = request.call;
    const list = await showList(REVIEWED_ITEMS, '/store/review/items', request, async ({ page, size, text, filters }) => {
      const wanted = filters as { type?: ItemType; status?: ItemStatus };
      const { total, items } = await this.admin.items({ ...wanted, keyword: text, page, page_size: size });
      return { total, rows: items.map((item) => ({ ...itemFacts(item, locale), states: statesOf(item, locale) })) };
    });
    return { list };
  }

  @StorePage({
    path: 'review/items/:id',
    view: 'review-item',
    title: 'review_item.title',
    needs: ['admin'],
    showsDescriptions: true,
  })
  async item(request: PageRequest): Promise<object> {
    const { call, refused } = request;
    const id = idOf(request);
    const [item, review] = await Promise.all([
      this.items.detail(call, id) as Promise<ItemDetail>,
      this.admin.review(call, id) as Promise<Review>,
    ]);
    const { version, findings, waiting_seconds: seconds, queue_position: position } = review;
    const isPublic = item.status === 'approved' || item.status === 'suspended';
    const isWaiting = version.status === 'pending' && item.status !== 'rejected';
    const grave = findings.filter(({ rule, severity }) => severity === 'danger' && rule !== 'blocked');
    const blocked = findings.filter(({ rule }) => rule === 'blocked');
    const claim = (await this.reviews.claims([version.id])).get(version.id) ?? null;
    const search = String(new URLSearchParams({ version: version.version }));
    return {
      title: item.name,
      item: itemView(item, call.locale),
      version: { ...version, size_text: sizeText(call.locale, version.zip_size), author_key: version.author_keys.at(-1) ?? '' },
      waiting: seconds === null ? null : { duration: durationText(call.locale, seconds), position: numberText(call.locale, position ?? 1) },
      claim,
      is_mine: claim?.userId === call.caller!.id,
      is_public: isPublic,
      is_waiting: isWaiting,
      // Decisions apply to the version shown here, even if the author has submitted another one since.
      decided_version: isWaiting ? version.version : item.version,
      note: refused?.values.msg ?? '',
      last_note: review.review_msg,
      findings: findingsView(findings),
      // Each serious finding must be confirmed before publication.
      grave: isWaiting ? findingsView(grave) : [],
      grave_rules: [...new Set(grave.map(({ rule }) => rule))],
      is_blocked: blocked.some(({ excerpt }) => excerpt === version.sha256),
      blocked_files: blocked.map(({ file }) => file).join(', '),
      blocked_digests: blocked.map(({ excerpt }) => excerpt),
      files_address: `/store/review/items/${id}/files?${search}`,
      // An item that was never published has nothing to compare with.
      diff_address:
        isPublic && item.version !== version.version
          ? `/store/review/items/${id}/diff?${String(new URLSearchParams({ from: item.version, to: version.version }))}`
          : '',
      requests: review.edit_requests.map((one) => editRequestView(one, call.locale)),
      description: trustedHtml(shownHtml(item.description)),
      manifest: review.manifest && JSON.stringify(review.manifest, null, 2),
    };
  }

  @StorePage({ path: 'review/items/:id/files', view: 'review-files', title: 'files.title', needs: ['admin'] })
  async files(request: PageRequest): Promise<object> {
    const { query, call } = request;
    const id = idOf(request);
    const version = VERSION.test(query.version ?? '') ? query.version! : undefined;
    const found = await this.packages.files(id, { version });
    const line = Number(query.line) || 0;
    const path = query.path?.slice(0, 500);
    return {
      item_id: id,
      files_address: `/store/review/items/${id}/files?${String(new URLSearchParams({ version: found.version }))}`,
      root: found.root,
      count: found.files.length,
      count_text: numberText(call.locale, found.files.length),
      size_text: sizeText(call.locale, found.total_size),
      files: found.files.map((file) => ({ ...file, size_text: sizeText(call.locale, file.size), digest: file.sha256.slice(0, 12) })),
      opened: path ? { place: line ? `${path}:${line}` : path, ...(await this.textOf(id, found.version, path, line)) } : null,
    };
  }

  @StorePage({ path: 'review/items/:id/diff', view: 'review-diff', title: 'files.diff', needs: ['admin'] })
  async diff(request: PageRequest): Promise<object> {
    const { from = '', to = '' } = request.query;
    if (!VERSION.test(from) || !VERSION.test(to)) throw new StoreError('NOT_FOUND');
    const id = idOf(request);
    const diff = await this.contents.diff(id, from, to);
    return { item_id: id, lines: diff === '' ? null : colouredDiff(diff), changed: changedFiles(diff) };
  }

  @StoreForm({ path: 'review/items/:id/approve', page: 'item' }, AdminItemsController, 'approve')
  async approve(request: FormRequest): Promise<FormRedirect> {
    const { fields } = request;
    const seen = (name: string): Record<string, string[]> => (fields.has(name) ? { [name]: fields.getAll(name) } : {});
    const form = await formOf(ApprovalNote, request, { ...seen('blocked_seen'), ...seen('findings_seen') });
    const id = idOf(request);
    return FormRedirect.after(await this.admin.approve(request.call, id, form), `/store/review/items/${id}`);
  }

  @StoreForm({ path: 'review/items/:id/reject', page: 'item' }, AdminItemsController, 'reject')
  async reject(request: FormRequest): Promise<FormRedirect> {
    const id = idOf(request);
    return FormRedirect.after(await this.admin.reject(request.call, id, await formOf(ReviewNote, request)), `/store/review/items/${id}`);
  }

  @StoreForm({ path: 'review/items/:id/suspend', page: 'item' }, AdminItemsController, 'suspend')
  async suspend(request: FormRequest): Promise<FormRedirect> {
    const id = idOf(request);
    return FormRedirect.after(await this.admin.suspend(request.call, id, await formOf(Note, request)), `/store/review/items/${id}`);
  }

  @StoreForm({ path: 'review/items/:id/block', page: 'item' }, AdminItemsController, 'block')
  async block(request: FormRequest): Promise<FormRedirect> {
    const id = idOf(request);
    return FormRedirect.after(await this.admin.block(request.call, id, await formOf(BlockNote, request)), `/store/review/items/${id}`);
  }

  @StoreForm({ path: 'review/items/:id/unblock', page: 'item' }, AdminItemsController, 'unblock')
  async unblock(request: FormRequest): Promise<FormRedirect> {
    const id = idOf(request);
    return FormRedirect.after(await this.admin.unblock(request.call, id), `/store/review/items/${id}`);
  }

  @StoreForm({ path: 'review/items/:id/delete', page: 'item' }, AdminItemsController, 'remove')
  async remove(request: FormRequest): Promise<FormRedirect> {
    return FormRedirect.after(await this.admin.remove(request.call, idOf(request), await formOf(Note, request)), '/store/review/');
  }

  @StoreForm({ path: 'review/items/:id/claim', page: 'item' }, ReviewQueueController, 'claim')
  async claim(request: FormRequest): Promise<FormRedirect> {
    return FormRedirect.after(await this.sharing.claim(request.call.caller!, versionOf(request)), `/store/review/items/${idOf(request)}`);
  }

  @StoreForm({ path: 'review/items/:id/release', page: 'item' }, ReviewQueueController, 'release')
  async release(request: FormRequest): Promise<FormRedirect> {
    return FormRedirect.after(await this.sharing.release(request.call.caller!, versionOf(request)), `/store/review/items/${idOf(request)}`);
  }

  @StoreForm({ path: 'review/decide', page: 'overview' }, ReviewQueueController, 'decide')
  async decideMany(request: FormRequest): Promise<FormPage> {
    const form = formOf(ManyForm, request, { versions: request.fields.getAll('versions').map(Number) });
    const { text, data, params } = await this.sharing.decide(request.call, form);
    return new FormPage({ outcomes: data }, text, data, params);
  }

  @StorePage({
    path: 'review/edits',
    view: 'review-edits',
    title: 'edits.title',
    needs: ['admin'],
    menu: { title: 'edits.tab', order: 30 },
  })
  async edits(request: PageRequest): Promise<object> {
    const list = await showList(EDITS, '/store/review/edits', request, async (asked) => {
      const all = await this.admin.editRequests(asked.filters as { status?: EditRequest['status'] });
      const { total, rows } = partOf(all, asked);
      return { total, rows: rows.map((row) => ({ ...row, ...editRequestView(row, request.call.locale) })) };
    });
    return { list };
  }

  @StoreForm({ path: 'review/edits/:id/approve', page: 'edits' }, AdminItemsController, 'approveEdit')
  async approveEdit(request: FormRequest): Promise<FormRedirect> {
    const answer = await this.admin.approveEdit(request.call, idOf(request), await formOf(Note, request));
    return FormRedirect.after(answer, backTo(request, '/store/review/edits'));
  }

  @StoreForm({ path: 'review/edits/:id/reject', page: 'edits' }, AdminItemsController, 'rejectEdit')
  async rejectEdit(request: FormRequest): Promise<FormRedirect> {
    const answer = await this.admin.rejectEdit(request.call, idOf(request), await formOf(Note, request));
    return FormRedirect.after(answer, backTo(request, '/store/review/edits'));
  }

  /** Returns the file as lines, or the error text; the file list is shown either way. */
  private async textOf(id: number, version: string, path: string, line: number): Promise<object> {
    try {
      return { lines: numberedLines(await this.contents.content(id, version, path), line) };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return { problem_text: error.shape.text };
    }
  }
}

const CHANGE_CLASSES = { added: 'bg-green-lt', removed: 'bg-red-lt', changed: 'bg-yellow-lt' };

/** Files in a diff, by their two header lines. */
function changedFiles(diff: string): object[] {
  return [...diff.matchAll(/^--- (.+)\n\+\+\+ (.+)$/gm)].map(([, before, after]) => {
    const kind = before === '/dev/null' ? 'added' : after === '/dev/null' ? 'removed' : 'changed';
    return { kind, look: CHANGE_CLASSES[kind], path: kind === 'removed' ? before : after };
  });
}

/** The version selected by the button. @throws StoreError NOT_FOUND */
const versionOf = (request: FormRequest): number => idOf({ ...request, params: { id: request.fields.get('version_id') ?? '' } });

/** Badges for an item's status and its pending version. */
function statesOf({ item_status: state, version, pending_version: waiting }: ReviewedItem, locale: Locale): Piece[] {
  const isShown = waiting === null || (state === 'pending' && waiting === version);
  const states = [statePiece(locale, state)];
  return isShown ? states : [...states, badgePiece(locale, 'yellow', 'review.version_waits', { version: waiting })];
}
