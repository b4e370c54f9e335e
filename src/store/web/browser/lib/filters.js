// @ts-check
import { make } from './dom.js';
import { input, select, submitButton } from './form.js';
import { t } from './i18n.js';

/**
 * A row of filters over a list.
 *
 * @param {{ keyword?: string, choices?: { name: string, label: string, options: [string, string][] }[] }} filters `keyword`: the label of a search field
 */
export function filterForm({ keyword, choices = [] }) {
  return make(
    'form',
    { class: 'd-flex flex-wrap gap-2 mb-3', role: 'search' },
    keyword && make('div', { class: 'filter-keyword' }, input({ type: 'search', name: 'keyword', maxlength: 100, placeholder: keyword, 'aria-label': keyword })),
    ...choices.map(({ name, label, options }) => {
      const control = select(options);
      control.name = name;
      control.setAttribute('aria-label', label);
      return make('div', {}, control);
    }),
    keyword && submitButton(t('browse.search'), 'btn'),
  );
}

/** Kinds of items, as a filter. */
export const typeChoice = () => ({ name: 'type', label: t('browse.type'), options: /** @type {[string, string][]} */ ([['', t('browse.every_type')], ['plugin', t('type.plugin')], ['theme', t('type.theme')]]) });

/** States, as a filter. @param {string[]} states */
export const statusChoice = (states) => ({ name: 'status', label: t('common.status'), options: /** @type {[string, string][]} */ ([['', t('common.every_status')], ...states.map((state) => [state, t(`status.${state}`)])]) });
