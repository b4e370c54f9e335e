/** Links for languages, and filters: on every page. */
import { on } from './page.js';

// Filters change the address after the link was made.
on('click', 'data-lang', (link) => {
  const query = new URLSearchParams(location.search);
  query.set('lang', link.dataset.lang ?? '');
  link.setAttribute('href', `?${query}`);
});

// A filter counts as soon as it is chosen: `data-submits` on the field, or on a form for all of its fields.
on('change', 'data-submits', (_found, { target }) => (target as HTMLInputElement).form?.requestSubmit());
