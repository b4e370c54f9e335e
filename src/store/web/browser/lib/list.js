// @ts-check
import { filtersOf, queryOfAddress } from './address.js';
import { make } from './dom.js';
import { loadFailure } from './feedback.js';
import { formatNumber } from './format.js';
import { t } from './i18n.js';

/** Pages that are named on each side of the present one. */
const NEAR = 2;

/**
 * A list whose filters and page are in the address: the back button works, and a link shows the same.
 *
 * @template {{ total: number, page: number, page_size: number }} Answer
 * @param {object} list
 * @param {HTMLFormElement} [list.form] its fields are the filters, by their names
 * @param {HTMLElement} list.place where the rows go
 * @param {(query: URLSearchParams) => Promise<Answer>} list.load
 * @param {(answer: Answer) => Node} list.draw
 * @returns {{ refresh: () => Promise<void> }}
 */
export function addressedList({ form, place, load, draw }) {
  const summary = make('p', { class: 'text-secondary small mb-2', role: 'status' });
  const rows = make('div');
  const foot = make('div', { class: 'mt-3' });
  place.replaceChildren(summary, rows, foot);
  let asked = 0;

  async function refresh() {
    asked += 1;
    const turn = asked;
    rows.setAttribute('aria-busy', 'true');
    try {
      const query = queryOfAddress(form);
      const answer = await load(query);
      // Somebody who types on is not shown what was asked before.
      if (turn !== asked) return;
      const last = lastPage(answer);
      if (answer.page > last) {
        // There were more once, or the address was typed.
        history.replaceState(null, '', addressOf(onPage(query, last)));
        return void (await refresh());
      }
      summary.textContent = t('list.total', { n: answer.total, total: formatNumber(answer.total) });
      rows.replaceChildren(draw(answer));
      foot.replaceChildren(...pager(answer, query, goTo));
    } catch (error) {
      if (turn === asked) rows.replaceChildren(loadFailure(error, () => void refresh()));
    } finally {
      if (turn === asked) rows.removeAttribute('aria-busy');
    }
  }

  /** @param {URLSearchParams} query */
  function go(query) {
    if (`?${query}` !== (location.search || '?')) history.pushState(null, '', addressOf(query));
    return refresh();
  }

  /** @param {number} page */
  function goTo(page) {
    void go(onPage(queryOfAddress(form), page)).then(() => place.scrollIntoView({ block: 'start' }));
  }

  if (form) {
    fill(form);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void go(queryOf(form));
    });
    form.addEventListener('change', () => void (form.reportValidity() && go(queryOf(form))));
    form.addEventListener('reset', () => void go(new URLSearchParams()).then(() => fill(form)));
  }
  addEventListener('popstate', () => {
    if (form) fill(form);
    void refresh();
  });
  void refresh();
  return { refresh };
}

/** @param {HTMLFormElement} form */
function queryOf(form) {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string' && value.trim() !== '') query.set(name, value.trim());
  return query;
}

/** @param {HTMLFormElement} form */
function fill(form) {
  const query = queryOfAddress(form);
  for (const filter of filtersOf(form)) filter.value = query.get(filter.name) ?? '';
}

/** @param {URLSearchParams} query @param {number} page */
function onPage(query, page) {
  const other = new URLSearchParams(query);
  if (page > 1) other.set('page', String(page));
  else other.delete('page');
  return other;
}

/** The address of a query on this page. @param {URLSearchParams} query */
function addressOf(query) {
  const search = query.toString();
  return search ? `?${search}` : location.pathname;
}

/** @param {{ total: number, page_size: number }} answer */
function lastPage({ total, page_size: size }) {
  return Math.max(1, Math.ceil(total / size));
}

/**
 * @param {{ total: number, page: number, page_size: number }} answer
 * @param {URLSearchParams} query
 * @param {(page: number) => void} goTo
 * @returns {Node[]}
 */
function pager(answer, query, goTo) {
  const { page } = answer;
  const last = lastPage(answer);
  if (last === 1 && page === 1) return [];
  const near = Array.from({ length: 2 * NEAR + 1 }, (_, i) => page - NEAR + i).filter((n) => n > 1 && n < last);
  const numbers = [...new Set([1, ...near, last])];
  /** @param {number} to @param {string} text @param {string} [label] */
  const link = (to, text, label = t('list.page', { page: to })) => {
    const isPossible = to >= 1 && to <= last && to !== page;
    const onclick = (/** @type {MouseEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      goTo(to);
    };
    return make(
      'li',
      { class: `page-item${to === page ? ' active' : isPossible ? '' : ' disabled'}` },
      isPossible ? make('a', { class: 'page-link', href: addressOf(onPage(query, to)), 'aria-label': label, onclick }, text) : make('span', { class: 'page-link', 'aria-current': to === page ? 'page' : null, 'aria-label': label }, text),
    );
  };
  const items = [link(page - 1, '‹', t('list.previous')), ...numbers.map((n) => link(n, formatNumber(n))), link(page + 1, '›', t('list.next'))];
  return [make('nav', { 'aria-label': t('list.pages') }, make('ul', { class: 'pagination justify-content-center flex-wrap' }, ...items))];
}
