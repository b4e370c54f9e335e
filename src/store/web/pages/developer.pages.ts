import { Controller } from '@nestjs/common';

import { BaseUrl } from '../../../config/index.js';
import { trustedHtml } from '../../../theme/index.js';
import type { ItemType } from '../../entities/index.js';
import { shownHtml } from '../../html/index.js';
import {
  Categories,
  DeveloperController,
  MAX_SCREENSHOTS,
  OwnItems,
  OwnVersionsController,
  PreviewController,
  PreviewForm,
  type ReadFields,
  type Review,
  ScreenshotsForm,
  WithdrawForm,
} from '../../items/index.js';

import { categoryText, durationText, numberText, sizeText } from '../formats.js';
import { FormRedirect, FormFragment } from '../form-results.js';
import { itemFacts, itemView, versionView } from '../item-views.js';
import { firstOf, formOf, idOf, type FormRequest, type PageRequest } from '../page-request.js';
import { OWN_ITEMS, showList } from '../lists/index.js';
import { editRequestView, findingsView } from '../review-views.js';
import { StoreForm, StorePage } from '../store-page.js';

/** Fields of the edit form, as submitted. */
const EDITED = ['name', 'price', 'category', 'homepage', 'main_image', 'description', 'row_version'] as const;

/** Pages for developers to manage their items. */
@Controller()
export class DeveloperPages {
  constructor(
    private readonly developer: DeveloperController,
    private readonly previews: PreviewController,
    private readonly items: OwnItems,
    private readonly ownVersions: OwnVersionsController,
    private readonly categories: Categories,
    private readonly baseUrl: BaseUrl,
  ) {}

  @StorePage({ path: 'developer/', view: 'own-items', title: 'own.title', needs: ['developer'] })
  async list(request: PageRequest): Promise<object> {
    const { caller, locale } = request.call;
    const list = await showList(OWN_ITEMS, '/store/developer/', request, async ({ page, size, filters }) => {
      const { total, items } = await this.developer.list(caller!, { ...(filters as { type?: ItemType }), page, page_size: size });
      return { total, rows: items.map((item) => itemFacts(item, locale)) };
    });
    return { list };
  }

  @StorePage({ path: 'developer/submit', view: 'submit', title: 'submit.title', needs: ['developer'], showsDescriptions: true })
  async submitPage({ call: { locale }, refused }: PageRequest): Promise<object> {
    return { typed: { type: 'plugin', price: '0', ...refused?.values }, categories: await this.categoryNames(locale) };
  }

  @StoreForm({ path: 'developer/submit', page: 'submitPage', hasFile: true }, DeveloperController, 'submit')
  async submit(request: FormRequest): Promise<FormRedirect> {
    const answer = await this.developer.submit(request.call.caller!, request.req, readTyped(request));
    return FormRedirect.after(answer, `/store/developer/items/${(answer.data as { id: number }).id}`);
  }

  @StoreForm({ path: 'developer/check', page: 'submitPage', hasFile: true }, DeveloperController, 'validate')
  async check(request: FormRequest): Promise<FormFragment> {
    const { call, req } = request;
    const found = await this.developer.validate(call.caller!, call, req, readTyped(request));
    const { files, total_size: size, installable, findings } = found;
    return new FormFragment('package-check', {
      check: {
        installable,
        files,
        files_text: numberText(call.locale, files),
        size_text: sizeText(call.locale, size),
        findings: findingsView(findings),
      },
    });
  }

  @StoreForm({ path: 'developer/preview', page: 'submitPage' }, PreviewController, 'preview')
  async preview(request: FormRequest): Promise<FormFragment> {
    const { description } = await this.previews.preview(request.call.caller!, await formOf(PreviewForm, request));
    return new FormFragment('description-preview', {
      shown: trustedHtml(shownHtml(description, { opensNewTab: true })),
      kept: description,
    });
  }

  @StorePage({ path: 'developer/items/:id', view: 'own-item', title: 'own.item_title', needs: ['developer'], showsDescriptions: true })
  async itemPage(request: PageRequest): Promise<object> {
    const { call, refused } = request;
    const [caller, id] = [call.caller!, idOf(request)];
    const [item, versions, review, categories] = await Promise.all([
      this.developer.detail(caller, id),
      this.developer.versions(caller, id),
      this.developer.review(caller, call, id) as Promise<Review>,
      this.categoryNames(call.locale),
    ]);
    const inScreenshots = refused ? 'screenshot_1' in refused.values : false;
    const { queue_position: position, waiting_seconds: seconds } = review;
    return {
      title: item.name,
      item: itemView(item, call.locale),
      versions: versions.map((version) => versionView(version, item, call.locale)),
      is_own: true,
      badge_kinds: ['version', 'downloads', 'rating'],
      origin: this.baseUrl.current(),
      review_msg: review.review_msg,
      version_seen: review.version.version,
      waiting: seconds === null ? null : { position, duration: durationText(call.locale, seconds) },
      findings: findingsView(review.findings),
      requests: review.edit_requests.map((one) => editRequestView(one, call.locale)),
      description: trustedHtml(shownHtml(item.description)),
      categories,
      ...screenshotSlots(inScreenshots ? screenshotsOf(refused!.values) : (JSON.parse(item.screenshots) as string[])),
      in_screenshots: inScreenshots,
      typed: { ...item, tags: (JSON.parse(item.tags) as string[]).join(', '), ...refused?.values },
      in_edit: refused ? 'description' in refused.values : false,
      typed_version: refused?.values.version ?? '',
      typed_changelog: refused?.values.changelog ?? '',
    };
  }

  @StoreForm({ path: 'developer/items/:id/versions', page: 'itemPage', hasFile: true }, DeveloperController, 'submitVersion')
  async submitVersion(request: FormRequest): Promise<FormRedirect> {
    const id = idOf(request);
    const answer = await this.developer.submitVersion(request.call, id, request.req, readTyped(request));
    return FormRedirect.after(answer, `/store/developer/items/${id}`);
  }

  @StoreForm({ path: 'developer/items/:id/withdraw', page: 'itemPage' }, OwnVersionsController, 'withdraw')
  async withdraw(request: FormRequest): Promise<FormRedirect> {
    const id = idOf(request);
    const answer = await this.ownVersions.withdraw(request.call.caller!, id, versionOf(request), formOf(WithdrawForm, request));
    return FormRedirect.after(answer, `/store/developer/items/${id}`);
  }

  @StoreForm({ path: 'developer/items/:id/delete-version', page: 'itemPage' }, OwnVersionsController, 'remove')
  async removeVersion(request: FormRequest): Promise<FormRedirect> {
    const id = idOf(request);
    const answer = await this.ownVersions.remove(request.call.caller!, id, versionOf(request));
    const { item_removed: isGone } = answer.data as { item_removed: boolean };
    return FormRedirect.after(answer, isGone ? '/store/developer/' : `/store/developer/items/${id}`);
  }

  @StoreForm({ path: 'developer/items/:id/screenshots', page: 'itemPage' }, OwnVersionsController, 'askScreenshots')
  async screenshots(request: FormRequest): Promise<FormRedirect> {
    const id = idOf(request);
    const form = formOf(ScreenshotsForm, request, { screenshots: screenshotsOf(firstOf(request.fields)) });
    return FormRedirect.after(await this.ownVersions.askScreenshots(request.call.caller!, id, form), `/store/developer/items/${id}`);
  }

  @StoreForm({ path: 'developer/items/:id/edit', page: 'itemPage' }, DeveloperController, 'edit')
  async edit(request: FormRequest): Promise<FormRedirect> {
    const { fields, call } = request;
    const id = idOf(request);
    const item = await this.items.require(call.caller!, id, 'ITEM_NOT_FOUND_OR_YOURS');
    const given = Object.fromEntries(EDITED.flatMap((name) => (fields.has(name) ? [[name, fields.get(name)]] : [])));
    const answer = await this.developer.requestChanges(item, { ...given, tags: tagsOf(fields.get('tags')) });
    return FormRedirect.after(answer, `/store/developer/items/${id}`);
  }

  private async categoryNames(locale: PageRequest['call']['locale']): Promise<object[]> {
    return (await this.categories.list()).map(({ name }) => ({ name, text: categoryText(locale, name) }));
  }
}

/** Fields for the existing screenshots plus two empty ones. */
function screenshotSlots(paths: readonly string[]): object {
  const count = Math.min(MAX_SCREENSHOTS, paths.length + 2);
  const slots = Array.from({ length: count }, (_, i) => ({
    name: `screenshot_${i + 1}`,
    place_name: `place_${i + 1}`,
    path: paths[i] ?? '',
  }));
  return { screenshot_slots: slots, most_screenshots: MAX_SCREENSHOTS };
}

/** Screenshots of the form, in the order of their positions. */
function screenshotsOf(fields: Readonly<Record<string, string>>): string[] {
  return Array.from({ length: MAX_SCREENSHOTS }, (_, i) => ({
    path: fields[`screenshot_${i + 1}`] ?? '',
    place: Number(fields[`place_${i + 1}`]) || i + 1,
  }))
    .filter(({ path }) => path !== '')
    .sort((one, other) => one.place - other.place)
    .map(({ path }) => path);
}

/** The version selected by the button. */
const versionOf = ({ fields }: FormRequest): string => fields.get('version') ?? '';

/** Stores the submitted values for showing the page again, and converts the tags. */
function readTyped({ req }: FormRequest): ReadFields {
  return (fields) => {
    req.body = new URLSearchParams(fields);
    return 'tags' in fields ? { ...fields, tags: JSON.stringify(tagsOf(fields.tags)) } : fields;
  };
}

/** Splits entered tags at ASCII or Chinese commas. */
function tagsOf(typed: string | null | undefined): string[] {
  return (typed ?? '')
    .split(/[,，、]/)
    .map((tag) => tag.trim())
    .filter(Boolean);
}
