// @ts-check
/** @import { Item, Version } from '../api-types' */
import { call, get } from '../lib/api.js';
import { facts, icon, isSafeLink, make, setTitle, show } from '../lib/dom.js';
import { descriptionOf } from '../lib/description.js';
import { loadFailure, notice } from '../lib/feedback.js';
import { field, onSubmit, select, submitButton, textarea } from '../lib/form.js';
import { formatNumber, formatPrice, formatSize, moment, statusBadge, tagsOf, typeBadge } from '../lib/format.js';
import { categoryName, t } from '../lib/i18n.js';
import { itemImage } from '../lib/item-card.js';
import { versionsCard } from '../lib/versions-card.js';

const REASONS = ['malware', 'security', 'copyright', 'spam', 'broken', 'other'];

void open();

async function open() {
  try {
    const [, , kind, name] = location.pathname.split('/');
    /** @type {Item} */
    const item = await get(kind === 'items' ? `/items/${name}` : `/items/by-slug/${kind}/${name}`);
    /** @type {Version[]} */
    const versions = await get(`/items/${item.id}/versions`);
    setTitle(item.name);
    show(...parts(item, versions));
  } catch (error) {
    show(loadFailure(error, () => void open()), make('p', {}, make('a', { href: '/store/' }, t('common.to_store'))));
  }
}

/** @param {Item} item @param {Version[]} versions */
function parts(item, versions) {
  const tags = tagsOf(item.tags);
  const { user, role } = document.body.dataset;
  return [
    item.status !== 'approved' && notice(t(`item.not_public_${item.status}`), 'warning'),
    make(
      'div',
      { class: 'row g-3' },
      // Price and download come first, also where there is one column.
      make(
        'div',
        { class: 'col-lg-4' },
        make(
          'section',
          { class: 'card mb-3' },
          make(
            'div',
            { class: 'card-body' },
            make('div', { class: 'd-flex gap-2 align-items-center mb-3' }, typeBadge(item.type), item.status !== 'approved' && statusBadge(item.status), make('strong', { class: 'ms-auto fs-2' }, formatPrice(item.price))),
            item.price > 0 && make('p', { class: 'text-secondary small', id: 'price-note' }, t('item.price_note', { author: item.author_name })),
            make('a', { class: 'btn btn-primary w-100 mb-3', href: `/api/items/${item.id}/download`, download: true }, icon('download-outline'), t('item.download', { version: item.version })),
            facts([
              [t('item.author'), make('a', { href: `/store/?author_id=${item.author_id}` }, item.author_name)],
              [t('field.version'), item.version],
              [t('item.downloads'), formatNumber(item.downloads)],
              [t('item.size'), formatSize(item.zip_size)],
              [t('field.category'), item.category && make('a', { href: `/store/?${new URLSearchParams({ category: item.category })}` }, categoryName(item.category))],
              [t('field.requires_svc'), item.requires_svc],
              [t('field.slug'), item.slug],
              [t('item.updated'), moment(item.updated_at, false)],
              [t('item.created'), moment(item.created_at, false)],
              [t('field.homepage'), item.homepage && isSafeLink(item.homepage) && make('a', { class: 'text-break', href: item.homepage, rel: 'nofollow noopener', target: '_blank' }, item.homepage)],
              [t('field.tags'), tags.length > 0 && make('span', { class: 'd-flex flex-wrap gap-1' }, ...tags.map((tag) => make('span', { class: 'badge' }, tag)))],
            ]),
            make('div', { class: 'mt-3' }, make('div', { class: 'datagrid-title' }, 'SHA-256'), make('code', { class: 'digest' }, item.sha256)),
          ),
        ),
        String(item.author_id) === user && make('p', {}, make('a', { class: 'btn w-100', href: `/store/developer/items/${item.id}` }, t('item.manage'))),
        role === 'admin' && make('p', {}, make('a', { class: 'btn w-100', href: `/store/review/items/${item.id}` }, t('item.review'))),
        item.status === 'approved' && reportCard(item),
      ),
      make(
        'div',
        { class: 'col-lg-8 order-lg-first' },
        make('section', { class: 'card mb-3' }, item.main_image && itemImage(item), make('div', { class: 'card-body' }, make('h2', { class: 'visually-hidden' }, t('field.description')), descriptionOf(item.description))),
        versionsCard(item, versions),
      ),
    ),
  ];
}

/** @param {Item} item */
function reportCard({ id }) {
  const form = make(
    'form',
    { class: 'pt-3' },
    field('reason', t('report.reason'), select(REASONS.map((reason) => [reason, t(`reason.${reason}`)]))),
    field('text', t('report.text'), textarea({ rows: 3, maxlength: 2000 }), t('report.hint')),
    submitButton(t('report.send'), 'btn btn-outline-danger'),
  );
  onSubmit(form, async (fields) => {
    const { msg } = await call('POST', `/items/${id}/report`, { reason: fields.get('reason'), text: fields.get('text') });
    form.replaceChildren(notice(msg, 'success'));
  });
  return make('details', { class: 'card card-body mb-3' }, make('summary', {}, icon('flag-outline'), ' ', t('report.title')), form);
}
