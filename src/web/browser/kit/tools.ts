/** Language links and filters, on every page. */
import { on } from './page.js';

// Updated on click, because filters may have changed the URL since.
on('click', 'data-lang', (link) => {
  const query = new URLSearchParams(location.search);
  query.set('lang', link.dataset.lang ?? '');
  link.setAttribute('href', `?${query}`);
});

// Applies a filter as soon as it changes: `data-submits` is on the field, or on a form for all of its fields.
on('change', 'data-submits', (_found, { target }) => (target as HTMLInputElement).form?.requestSubmit());
