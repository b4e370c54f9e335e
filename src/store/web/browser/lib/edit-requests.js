// @ts-check
/** @import { EditRequest } from '../api-types' */
import { call } from './api.js';
import { make } from './dom.js';
import { confirmed, say } from './feedback.js';
import { actionButton, textarea } from './form.js';
import { formatPrice, moment, statusBadge, tagsOf } from './format.js';
import { categoryName, t } from './i18n.js';

/**
 * A change somebody asked for: before and after, and, for a reviewer, what to decide.
 *
 * @param {EditRequest} request
 * @param {{ title?: Node, onDecided?: () => Promise<void> }} [options] with `onDecided` a waiting one can be decided
 */
export function editRequestEntry(request, { title, onDecided } = {}) {
  const { field, old_value: before, new_value: after, status, review_msg: note, created_at: created } = request;
  return make(
    'li',
    { class: 'list-group-item' },
    title && make('div', { class: 'mb-1' }, title),
    make('div', { class: 'd-flex flex-wrap gap-2 align-items-center mb-2' }, make('strong', {}, t(`field.${field}`)), statusBadge(status), make('span', { class: 'text-secondary small' }, moment(created))),
    make(
      'div',
      { class: 'before-after' },
      make('div', {}, make('div', { class: 'small text-secondary' }, t('edits.before')), make('div', { class: 'value-old' }, valueOf(field, before))),
      make('div', {}, make('div', { class: 'small text-secondary' }, t('edits.after')), make('div', { class: 'value-new' }, valueOf(field, after))),
    ),
    note && make('p', { class: 'mt-2 mb-0' }, t('review.note_of_reviewer'), ' ', make('span', { class: 'pre-line' }, note)),
    onDecided && status === 'pending' && decision(request, onDecided),
  );
}

/** @param {EditRequest} request @param {() => Promise<void>} onDecided */
function decision({ id }, onDecided) {
  const note = textarea({ rows: 1, maxlength: 2000, 'aria-label': t('review.note'), placeholder: t('review.note') });
  /** @param {'approve' | 'reject'} what */
  const decide = async (what) => {
    if (what === 'reject' && !(await confirmed({ text: t('edits.confirm_reject'), action: t('review.reject'), isDanger: true }))) return;
    const { msg } = await call('PUT', `/admin/edit-requests/${id}/${what}`, { msg: note.value });
    say(msg);
    await onDecided();
  };
  return make(
    'div',
    { class: 'd-flex flex-wrap gap-2 mt-3 decision-row' },
    note,
    actionButton(t('review.approve'), () => decide('approve'), 'btn btn-success'),
    actionButton(t('review.reject'), () => decide('reject'), 'btn btn-outline-danger'),
  );
}

/** @param {string} field @param {string} value as the API keeps it */
function valueOf(field, value) {
  if (value === '' || value === '[]') return make('em', { class: 'text-secondary' }, t('edits.empty'));
  if (field === 'price') return formatPrice(Number(value));
  if (field === 'tags') return tagsOf(value).join(', ');
  if (field === 'category') return categoryName(value);
  if (field === 'main_image') return make('img', { src: value, alt: t('field.main_image'), class: 'edit-image', loading: 'lazy' });
  if (field === 'description') return make('pre', { class: 'excerpt' }, value);
  return value;
}
