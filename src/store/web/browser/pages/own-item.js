// @ts-check
/** @import { Item, Review, Version } from '../api-types' */
import { call, get, upload } from '../lib/api.js';
import { card, facts, icon, make, setTitle, show } from '../lib/dom.js';
import { descriptionOf } from '../lib/description.js';
import { editRequestEntry } from '../lib/edit-requests.js';
import { loadFailure, say } from '../lib/feedback.js';
import { progressBar, zipField } from '../lib/file-field.js';
import { findingsList } from '../lib/findings.js';
import { field, input, onSubmit, submitButton, textarea } from '../lib/form.js';
import { formatDuration, formatNumber, statusBadge, typeBadge } from '../lib/format.js';
import { t } from '../lib/i18n.js';
import { itemFields, tagsJson } from '../lib/item-fields.js';
import { versionsCard } from '../lib/versions-card.js';

const id = location.pathname.split('/')[4];

void open();

async function open() {
  try {
    /** @type {[Item, Version[], Review]} */
    const [item, versions, review] = await Promise.all([get(`/developer/items/${id}`), get(`/developer/items/${id}/versions`), get(`/developer/items/${id}/review`)]);
    setTitle(item.name);
    show(
      stateCard(item, review),
      card(t('own.findings_of', { version: review.version.version }), make('p', { class: 'text-secondary' }, t('findings.intro')), findingsList(review.findings)),
      versionsCard(item, versions, { isOwn: true }),
      make('div', { class: 'row g-3' }, make('div', { class: 'col-lg-6' }, versionCard(item)), make('div', { class: 'col-lg-6' }, editCard(item))),
      requestsCard(review),
      make('details', { class: 'card card-body mb-3' }, make('summary', {}, t('own.description_shown')), make('div', { class: 'pt-3' }, descriptionOf(item.description))),
    );
  } catch (error) {
    show(loadFailure(error, () => void open()), make('p', {}, make('a', { href: '/store/developer/' }, t('own.title'))));
  }
}

/** @param {Item} item @param {Review} review */
function stateCard(item, { version, review_msg: note, queue_position: position, waiting_seconds: seconds }) {
  const isWaiting = position !== null && seconds !== null;
  return card(
    t('own.state'),
    make('div', { class: 'd-flex flex-wrap gap-2 align-items-center mb-2' }, typeBadge(item.type), statusBadge(item.status), make('code', {}, item.slug), item.status === 'approved' && make('a', { class: 'btn btn-sm ms-auto', href: `/store/${item.type}/${item.slug}` }, icon('link-variant'), t('own.public_page'))),
    make('p', { class: note || isWaiting ? '' : 'mb-0' }, t(item.status === 'approved' && isWaiting ? 'own.explain_approved_waiting' : `own.explain_${item.status}`, { version: item.version, waiting: version.version })),
    isWaiting &&
      facts([
        [t('own.waits'), version.version],
        [t('own.queue_position'), formatNumber(position)],
        [t('own.waiting_time'), formatDuration(seconds)],
      ]),
    note && make('div', { class: 'mt-3' }, make('div', { class: 'datagrid-title' }, t('review.note_of_reviewer')), make('p', { class: 'pre-line mb-0' }, note)),
  );
}

/** @param {Item} item */
function versionCard(item) {
  const bar = progressBar();
  const form = make(
    'form',
    {},
    field('version', t('field.version'), input({ required: true, maxlength: 32, pattern: '[0-9A-Za-z.+_\\-]{1,32}', autocapitalize: 'none', spellcheck: 'false' }), t('own.version_hint', { version: item.version })),
    zipField(),
    field('changelog', t('field.changelog'), textarea({ rows: 4, maxlength: 10_000 })),
    bar.element,
    submitButton(t('own.upload_version')),
  );
  onSubmit(
    form,
    async (fields) => {
      const { msg } = await upload(`/developer/items/${item.id}/versions`, fields, (share) => bar.move(share));
      say(msg);
      await open();
      scrollTo(0, 0);
    },
    { onFailure: bar.hide },
  );
  return card(t('own.new_version'), form);
}

/** @param {Item} item */
function editCard(item) {
  const form = make('form', {}, make('p', { class: 'text-secondary' }, t('own.edit_intro')), itemFields(item), submitButton(t('own.ask_changes')));
  onSubmit(form, async (fields) => {
    const { msg } = await call('PUT', `/developer/items/${item.id}`, {
      name: fields.get('name'),
      price: fields.get('price'),
      category: fields.get('category'),
      tags: tagsJson(fields.get('tags')),
      homepage: fields.get('homepage'),
      main_image: fields.get('main_image'),
      description: String(fields.get('description')).replace(/\r\n/g, '\n'),
    });
    say(msg);
    await open();
  });
  return make('details', { class: 'card card-body mb-3' }, make('summary', { class: 'h3 mb-0' }, t('own.edit')), make('div', { class: 'pt-3' }, form));
}

/** @param {Review} review */
function requestsCard({ edit_requests: requests }) {
  if (requests.length === 0) return null;
  return make(
    'section',
    { class: 'card mb-3' },
    make('div', { class: 'card-header' }, make('h2', { class: 'card-title' }, t('edits.own_title'))),
    make('ul', { class: 'list-group list-group-flush' }, ...requests.map((request) => editRequestEntry(request))),
  );
}
