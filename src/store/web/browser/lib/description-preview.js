// @ts-check
import { call } from './api.js';
import { descriptionOf } from './description.js';
import { make } from './dom.js';
import { messageOf, notice } from './feedback.js';
import { actionButton } from './form.js';
import { t } from './i18n.js';

/** Shows what the store would keep of the description in a field, before it is sent. @param {HTMLTextAreaElement} area */
export function descriptionPreview(area) {
  const place = make('div');
  const button = actionButton(t('preview.show'), async () => {
    const typed = area.value;
    try {
      // Who is signed out meanwhile keeps what was typed.
      const { data } = await call('POST', '/developer/preview', { description: typed }, { staysOnLogin: true });
      put(panelOf(area, typed, data.description));
    } catch (error) {
      put(notice(messageOf(error)));
    }
  });
  /** @param {HTMLElement} element where the reader goes on */
  const put = (element) => {
    element.tabIndex = -1;
    place.replaceChildren(element);
    element.focus();
  };
  return make('div', { class: 'mb-3' }, button, make('div', { class: 'mt-2' }, place));
}

/** @param {HTMLTextAreaElement} area @param {string} typed what was in it @param {string} html what the store makes of that */
function panelOf(area, typed, html) {
  const shown = descriptionOf(html);
  // The form and what is typed into it stay where they are.
  for (const link of shown.querySelectorAll('a[href]')) link.setAttribute('target', '_blank');
  const outdated = make('p', { class: 'text-secondary' }, t('preview.outdated'));
  const compare = () => (outdated.hidden = area.value === typed);
  area.addEventListener('input', compare);
  compare();
  return make(
    'section',
    { class: 'card', 'aria-label': t('preview.title') },
    make('div', { class: 'card-header' }, make('h2', { class: 'card-title' }, t('preview.title'))),
    make('div', { class: 'card-body' }, outdated, shown),
    make('details', { class: 'card-body' }, make('summary', {}, t('preview.html')), make('pre', { class: 'excerpt mt-2', tabindex: '0' }, html)),
  );
}
