// @ts-check
/** What is on every page of the store. Everything works without it, but for what is only a comfort: see docs/store-pages.md. */
(() => {
  'use strict';

  const { body, documentElement: root } = document;
  const texts = body.dataset;
  const locale = root.lang;
  const PASSING_MS = 6000;

  /** @param {string} name @param {string} className @param {...(Node | string)} children */
  const make = (name, className, ...children) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...children);
    return element;
  };

  // --- parts of pages that are fetched -----------------------------------------------------------------------------------------

  /** Fetched parts of pages are this store's own, escaped or cleaned on the server; nothing else becomes HTML. */
  const policy = /** @type {any} */ (window).trustedTypes?.createPolicy('htmx', { createHTML: (/** @type {string} */ html) => html });
  const { htmx } = /** @type {any} */ (window);
  const refuse = () => {
    throw new Error('These pages run no text as code.');
  };
  htmx.registerExtension('trusted-types', { init: (/** @type {any} */ api) => api.initSecurity(policy, refuse, refuse) });

  // An address names what is asked for and nothing else.
  document.addEventListener('htmx:config:request', (event) => {
    const { request } = /** @type {CustomEvent} */ (event).detail.ctx;
    if (request.method !== 'GET' || !request.body) return;
    for (const [name, value] of [...request.body]) if (String(value).trim() === '') request.body.delete(name);
  });

  document.addEventListener('change', ({ target }) => {
    const { form } = /** @type {HTMLInputElement} */ (target);
    if (form?.dataset.narrows !== undefined) form.requestSubmit();
  });

  // A part that cannot be loaded leaves what is there, and says why.
  document.addEventListener('htmx:error', (event) => {
    const { ctx } = /** @type {CustomEvent} */ (event).detail;
    const place = ctx?.sourceElement?.querySelector?.('[data-problem]');
    if (place) {
      place.replaceChildren(notice(texts.textOffline ?? ''));
      return;
    }
    const again = make('a', 'btn btn-sm ms-2', texts.textAgain ?? '');
    again.setAttribute('role', 'button');
    again.setAttribute('href', ctx?.request?.action ?? '');
    const note = notice(texts.textOffline ?? '');
    note.append(again);
    document.getElementById('list')?.prepend(note);
  });

  /** @param {string} text */
  function notice(text) {
    const note = make('div', 'alert alert-danger', text);
    note.setAttribute('role', 'alert');
    return note;
  }

  // --- forms -------------------------------------------------------------------------------------------------------------------

  // What is wrong is said where it is; what was typed stays.
  document.addEventListener('htmx:after:swap', (event) => {
    const { ctx } = /** @type {CustomEvent} */ (event).detail;
    showTimes();
    const form = ctx?.sourceElement?.closest?.('form');
    const alert = form?.querySelector('[data-problem] [role=alert]');
    if (!alert) return;
    const field = form.elements.namedItem(alert.dataset.field ?? '');
    if (field instanceof HTMLElement && field.getAttribute('type') !== 'hidden') {
      field.classList.add('is-invalid');
      field.setAttribute('aria-invalid', 'true');
      field.focus();
    } else alert.focus();
  });
  document.addEventListener('htmx:before:request', (event) => {
    const { sourceElement } = /** @type {CustomEvent} */ (event).detail.ctx;
    sourceElement?.querySelector?.('[data-problem]')?.replaceChildren();
    for (const field of sourceElement?.querySelectorAll?.('.is-invalid') ?? []) {
      field.classList.remove('is-invalid');
      field.removeAttribute('aria-invalid');
    }
  });

  // --- the header --------------------------------------------------------------------------------------------------------------

  document.addEventListener('click', (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest('[data-appearance]')) toggleAppearance();
    const language = target.closest('a[data-lang]');
    if (language) {
      // Filters change the address after the link was made.
      const query = new URLSearchParams(location.search);
      query.set('lang', language.getAttribute('data-lang') ?? '');
      language.setAttribute('href', `?${query}`);
    }
    for (const menu of document.querySelectorAll('details.account-menu')) if (!menu.contains(target)) menu.removeAttribute('open');
  });
  document.addEventListener('keydown', (event) => {
    const menu = document.querySelector('details.account-menu[open]');
    if (event.key !== 'Escape' || !menu) return;
    menu.removeAttribute('open');
    menu.querySelector('summary')?.focus();
  });

  function toggleAppearance() {
    const next = root.getAttribute('data-bs-theme') === 'dark' ? 'light' : 'dark';
    root.setAttribute('data-bs-theme', next);
    try {
      localStorage.setItem('svc-theme', next);
    } catch {
      // It holds for this page then.
    }
  }

  // --- times, as the reader's clock shows them ---------------------------------------------------------------------------------

  const styles = {
    datetime: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
    date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }),
    clock: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }),
  };
  /** To the second, with the time zone. */
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' });

  function showTimes() {
    for (const time of document.querySelectorAll('time[data-time]')) {
      const at = new Date(time.getAttribute('datetime') ?? '');
      time.textContent = styles[/** @type {keyof typeof styles} */ (time.getAttribute('data-time'))].format(at);
      time.setAttribute('title', exact.format(at));
    }
  }

  for (const note of document.querySelectorAll('[data-passing]')) setTimeout(() => note.remove(), PASSING_MS);
  // Of many tabs a phone shows the first ones.
  document.querySelector('.store-tabs .active')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  showTimes();
})();
