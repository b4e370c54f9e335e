/** Names the time zone of the page's times. */
import { directive } from '../kit/alpine.js';
import { fill } from '../kit/page.js';

directive('data-zone', 'zone', (place, { expression }) => {
  const parts = new Intl.DateTimeFormat(document.documentElement.lang, { timeZoneName: 'longGeneric' }).formatToParts();
  place.textContent = fill(expression, { zone: parts.find(({ type }) => type === 'timeZoneName')?.value });
});
