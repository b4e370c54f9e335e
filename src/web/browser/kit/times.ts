/** Shows times in the reader's time zone. */
import { directive } from './alpine.js';

const locale = document.documentElement.lang;

const STYLES: Readonly<Record<string, Intl.DateTimeFormat>> = {
  datetime: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
  date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }),
  clock: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }),
};
/** To the second, with time zone. */
const EXACT = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' });
const IN_ZONE = /T/;

directive('data-time', 'time', (place, { expression }) => {
  const time = place as unknown as HTMLTimeElement;
  // A day without a time is the same everywhere; the server has already formatted it.
  if (!IN_ZONE.test(time.dateTime)) return;
  const at = new Date(time.dateTime);
  time.textContent = STYLES[expression]!.format(at);
  time.title = EXACT.format(at);
});
