// @ts-check

/** Last page the API answers. */
const LAST_PAGE = 1_000_000;

/**
 * What the address asks a list for. Addresses are typed, cut off and kept for years: what a filter does not know, or what is no page, counts
 * as if it were not there, so that the list shows something instead of a rule of the API.
 *
 * @param {HTMLFormElement} [form] its fields are the filters: their options, limits and patterns say what may be asked
 */
export function queryOfAddress(form) {
  const given = new URLSearchParams(location.search);
  const query = new URLSearchParams();
  for (const filter of filtersOf(form)) {
    const value = usable(filter, (given.get(filter.name) ?? '').trim());
    if (value) query.set(filter.name, value);
  }
  const page = given.get('page') ?? '';
  if (/^[1-9]\d{0,6}$/.test(page) && page !== '1' && Number(page) <= LAST_PAGE) query.set('page', page);
  return query;
}

/** The fields of a form that have a value and a name. @param {HTMLFormElement} [form] */
export function filtersOf(form) {
  /** @type {(HTMLInputElement | HTMLSelectElement)[]} */
  const filters = [];
  for (const element of form?.elements ?? []) if ((element instanceof HTMLInputElement || element instanceof HTMLSelectElement) && element.name) filters.push(element);
  return filters;
}

/** @param {HTMLInputElement | HTMLSelectElement} filter @param {string} value @returns {string} empty where the filter takes no such value */
function usable(filter, value) {
  if (filter instanceof HTMLSelectElement) return [...filter.options].some((option) => option.value === value) ? value : '';
  const trial = /** @type {HTMLInputElement} */ (filter.cloneNode());
  // The rules of a hidden field are not looked at.
  if (trial.type === 'hidden') trial.type = 'text';
  trial.value = trial.maxLength > 0 ? value.slice(0, trial.maxLength) : value;
  if (trial.value === '' || !trial.validity.valid) return '';
  // As the API writes numbers: browsers take 1e3 too.
  return trial.type === 'number' ? String(trial.valueAsNumber) : trial.value;
}
