/** Times as the reader's clock shows them. */
import { directive } from '../kit/alpine.js';
import { fill } from '../kit/page.js';

const locale = document.documentElement.lang;

const STYLES: Readonly<Record<string, Intl.DateTimeFormat>> = {
  datetime: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
  date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }),
  clock: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }),
};
/** To the second, with the time zone. */
const EXACT = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' });

directive('data-time', 'time', (place, { expression }) => {
  const time = place as unknown as HTMLTimeElement;
  const at = new Date(time.dateTime);
  time.textContent = STYLES[expression]!.format(at);
  time.title = EXACT.format(at);
});

/** Says in which zone they are. */
directive('data-zone', 'zone', (place, { expression }) => {
  const parts = new Intl.DateTimeFormat(locale, { timeZoneName: 'longGeneric' }).formatToParts();
  place.textContent = fill(expression, { zone: parts.find(({ type }) => type === 'timeZoneName')?.value });
});
