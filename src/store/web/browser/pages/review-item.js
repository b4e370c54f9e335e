// @ts-check
/** @import { Item, Review } from '../api-types' */
import { call, get } from '../lib/api.js';
import { card, facts, icon, make, setTitle, show } from '../lib/dom.js';
import { descriptionOf } from '../lib/description.js';
import { editRequestEntry } from '../lib/edit-requests.js';
import { confirmed, loadFailure, say, sayLater } from '../lib/feedback.js';
import { findingsList } from '../lib/findings.js';
import { actionButton, field, textarea } from '../lib/form.js';
import { formatDuration, formatNumber, formatPrice, formatSize, moment, statusBadge, tagsOf, typeBadge } from '../lib/format.js';
import { categoryName, t } from '../lib/i18n.js';
import { itemImage } from '../lib/item-card.js';
import { packageDiff, packageFiles } from '../lib/package-view.js';

const id = location.pathname.split('/')[4];

void open();

async function open() {
  try {
    /** @type {[Item, Review]} */
    const [item, review] = await Promise.all([get(`/items/${id}`), get(`/admin/items/${id}/review`)]);
    const files = packageFiles(item.id, review.version.version);
    setTitle(item.name);
    show(
      make('div', { class: 'row g-3' }, make('div', { class: 'col-lg-7' }, factsCard(item, review)), make('div', { class: 'col-lg-5' }, decisionCard(item, review))),
      card(t('findings.title'), findingsList(review.findings, (file, line) => void files.open(file, line))),
      hasDiff(item, review) && card(t('files.diff'), packageDiff(item.id, item.version, review.version.version)),
      card(t('files.title'), files.element),
      requestsCard(review),
      make('section', { class: 'card mb-3' }, make('div', { class: 'card-header' }, make('h2', { class: 'card-title' }, t('field.description'))), item.main_image && itemImage(item), make('div', { class: 'card-body' }, descriptionOf(item.description))),
      review.manifest && make('details', { class: 'card card-body mb-3' }, make('summary', {}, t('review_item.manifest')), make('pre', { class: 'code mt-3', tabindex: '0' }, JSON.stringify(review.manifest, null, 2))),
    );
  } catch (error) {
    show(loadFailure(error, () => void open()), make('p', {}, make('a', { href: '/store/review/' }, t('review.title'))));
  }
}

/** Of an item that was never published there is nothing to compare with. @param {Item} item @param {Review} review */
function hasDiff({ status, version }, review) {
  return (status === 'approved' || status === 'suspended') && version !== review.version.version;
}

/** @param {Item} item @param {Review} review */
function factsCard(item, { version, waiting_seconds: seconds, queue_position: position }) {
  return card(
    t('review_item.facts'),
    make('div', { class: 'd-flex flex-wrap gap-2 align-items-center mb-3' }, typeBadge(item.type), statusBadge(item.status), seconds !== null && make('span', { class: 'badge bg-yellow-lt' }, t('review_item.waits', { duration: formatDuration(seconds), position: formatNumber(position ?? 1) }))),
    facts([
      [t('review_item.version_seen'), make('span', { class: 'd-inline-flex gap-2' }, version.version, statusBadge(version.status))],
      [t('review_item.version_public'), item.status === 'approved' || item.status === 'suspended' ? item.version : t('review_item.none')],
      [t('field.slug'), make('code', {}, item.slug)],
      [t('item.author'), make('a', { href: `/store/review/users?${new URLSearchParams({ keyword: item.author_name })}` }, item.author_name)],
      [t('field.price'), formatPrice(item.price)],
      [t('field.category'), categoryName(item.category)],
      [t('field.tags'), tagsOf(item.tags).join(', ')],
      [t('field.requires_svc'), item.requires_svc],
      [t('field.homepage'), item.homepage && make('a', { class: 'text-break', href: item.homepage, rel: 'nofollow noopener noreferrer', target: '_blank' }, item.homepage)],
      [t('item.size'), formatSize(version.zip_size)],
      [t('item.downloads'), formatNumber(item.downloads)],
      [t('review_item.submitted'), moment(version.created_at)],
    ]),
    version.changelog && make('div', { class: 'mt-3' }, make('div', { class: 'datagrid-title' }, t('field.changelog')), make('p', { class: 'pre-line mb-0' }, version.changelog)),
    make('div', { class: 'mt-3' }, make('div', { class: 'datagrid-title' }, 'SHA-256'), make('code', { class: 'digest' }, version.sha256)),
    make(
      'div',
      { class: 'd-flex flex-wrap gap-2 mt-3' },
      make('a', { class: 'btn btn-sm', href: `/api/items/${item.id}/versions/${encodeURIComponent(version.version)}/download`, download: true }, icon('download-outline'), t('item.download', { version: version.version })),
      make('a', { class: 'btn btn-sm', href: `/store/items/${item.id}` }, t('own.public_page')),
      make('a', { class: 'btn btn-sm', href: `/store/review/log?subject=item&subject_id=${item.id}` }, t('audit.tab')),
    ),
  );
}

/** @param {Item} item @param {Review} review */
function decisionCard(item, { version, review_msg: before, findings }) {
  const blocked = findings.filter(({ rule }) => rule === 'blocked');
  const grave = findings.filter(({ rule, severity }) => severity === 'danger' && rule !== 'blocked');
  const note = textarea({ rows: 4, maxlength: 2000 });
  const isWaiting = version.status === 'pending' && item.status !== 'rejected';
  /** @param {'approve' | 'reject' | 'suspend'} what */
  const decide = async (what) => {
    if (what !== 'approve' && !(await confirmed({ text: t(`review_item.confirm_${what}`, { name: item.name, version: version.version }), action: t(`review.${what}`), isDanger: true }))) return;
    if (what === 'approve' && blocked.length > 0 && !(await confirmed({ text: t('review_item.confirm_blocked', { files: blocked.map(({ file }) => file).join(', ') }), action: t('review.approve'), isDanger: true }))) return;
    if (what === 'approve' && isWaiting && grave.length > 0 && !(await confirmed({ text: t('review_item.confirm_findings', { n: grave.length }), action: t('review.approve'), isDanger: true, details: findingsList(grave) }))) return;
    // What is meant is what this page shows, not what its author may have sent since.
    const seen = isWaiting ? version.version : item.version;
    const { msg } = await call('PUT', `/admin/items/${item.id}/${what}`, { msg: note.value, version: seen, ...(what === 'approve' && { blocked_seen: blocked.map(({ excerpt }) => excerpt), findings_seen: [...new Set(grave.map(({ rule }) => rule))] }) });
    say(msg);
    await open();
  };
  const remove = async () => {
    if (!(await confirmed({ text: t('review_item.confirm_delete', { name: item.name }), action: t('review.delete'), isDanger: true }))) return;
    const { msg } = await call('DELETE', `/admin/items/${item.id}`);
    sayLater(msg);
    location.assign('/store/review/');
  };
  return card(
    t('review_item.decision'),
    make('p', {}, t(isWaiting ? `review_item.waiting_${item.status}` : `review_item.settled_${item.status}`, { version: version.version })),
    before && make('p', {}, make('span', { class: 'datagrid-title' }, t('review_item.last_note')), make('span', { class: 'pre-line d-block' }, before)),
    field('msg', t('review.note'), note, t('review.note_hint')),
    make(
      'div',
      { class: 'd-flex flex-wrap gap-2' },
      isWaiting && actionButton(t('review.approve'), () => decide('approve'), 'btn btn-success'),
      !isWaiting && item.status === 'suspended' && actionButton(t('review.lift'), () => decide('approve'), 'btn btn-success'),
      isWaiting && actionButton(t('review.reject'), () => decide('reject'), 'btn btn-outline-danger'),
      item.status === 'approved' && actionButton(t('review.suspend'), () => decide('suspend'), 'btn btn-outline-danger'),
      actionButton(t('review.delete'), remove, 'btn btn-ghost-danger'),
    ),
  );
}

/** @param {Review} review */
function requestsCard({ edit_requests: requests }) {
  if (requests.length === 0) return null;
  return make(
    'section',
    { class: 'card mb-3' },
    make('div', { class: 'card-header' }, make('h2', { class: 'card-title' }, t('edits.title'))),
    make('ul', { class: 'list-group list-group-flush' }, ...requests.map((request) => editRequestEntry(request, { onDecided: open }))),
  );
}
