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
    const { request, sourceElement } = /** @type {CustomEvent} */ (event).detail.ctx;
    const { only } = sourceElement.dataset;
    // A part of a form is sent for a look at it.
    if (only) for (const name of [...request.body.keys()]) if (name !== only) request.body.delete(name);
    if (request.method !== 'GET' || !request.body) return;
    for (const [name, value] of [...request.body]) if (String(value).trim() === '') request.body.delete(name);
  });

  document.addEventListener('change', ({ target }) => {
    const { form } = /** @type {HTMLInputElement} */ (target);
    if (form?.dataset.narrows !== undefined) form.requestSubmit();
  });

  document.addEventListener('input', ({ target }) => {
    const { name } = /** @type {HTMLInputElement} */ (target);
    for (const note of document.querySelectorAll(`[data-outdates="${name}"] [data-outdated]`)) note.removeAttribute('hidden');
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
    if (!alert) return /** @type {HTMLElement | null} */ (document.querySelector('[data-fresh]'))?.focus();
    const field = form.elements.namedItem(alert.dataset.field ?? '');
    if (field instanceof HTMLElement && field.getAttribute('type') !== 'hidden') {
      field.classList.add('is-invalid');
      field.setAttribute('aria-invalid', 'true');
      field.focus();
    } else alert.focus();
  });
  document.addEventListener('htmx:before:request', (event) => {
    const { sourceElement } = /** @type {CustomEvent} */ (event).detail.ctx;
    const form = sourceElement?.closest?.('form');
    form?.querySelector('[data-problem]')?.replaceChildren();
    for (const field of form?.querySelectorAll('.is-invalid') ?? []) {
      field.classList.remove('is-invalid');
      field.removeAttribute('aria-invalid');
    }
  });

  // --- asking before something is done -----------------------------------------------------------------------------------------

  document.addEventListener('htmx:confirm', (event) => {
    event.preventDefault();
    const { ctx, issueRequest, dropRequest } = /** @type {CustomEvent} */ (event).detail;
    const source = ctx.sourceElement;
    const button = ctx.request.submitter ?? source.querySelector('button') ?? source;
    const asks = source.dataset.asks && document.querySelector(source.dataset.asks);
    void askAll(asks?.querySelectorAll('template[data-ask]') ?? [source.getAttribute('hx-confirm')], button).then((isMeant) => {
      // What was asked about was seen.
      if (isMeant) for (const seen of asks?.querySelectorAll('[data-seen]') ?? []) ctx.request.body.append(seen.name, seen.value);
      return isMeant ? issueRequest() : dropRequest();
    });
  });

  /**
   * One question after the other. A `data-ask` template says what its question is about.
   *
   * @param {Iterable<HTMLElement | string>} questions @param {HTMLElement} button
   */
  async function askAll(questions, button) {
    for (const question of questions) if (!(await ask(question, button))) return false;
    return true;
  }

  /**
   * One question. The button that does nothing has the focus: Enter, Enter changes nothing, and Esc closes. The other one is named and
   * coloured like the one that was pressed.
   *
   * @param {HTMLElement | string} question @param {HTMLElement} button
   * @returns {Promise<boolean>}
   */
  function ask(question, button) {
    return new Promise((resolve) => {
      const isDanger = 'asks' in button.dataset || /btn-(?:outline-|ghost-)?danger/.test(button.className);
      const no = make('button', 'btn', texts.textCancel ?? '');
      const yes = make('button', `btn btn-${isDanger ? 'danger' : 'primary'}`, button.textContent?.trim() ?? '');
      const text = make('p', 'mb-4', typeof question === 'string' ? question : (question.dataset.ask ?? ''));
      text.id = 'confirm-text';
      const dialog = /** @type {HTMLDialogElement} */ (make('dialog', 'confirm', text));
      dialog.setAttribute('aria-labelledby', text.id);
      const about = question instanceof HTMLTemplateElement ? question.content.cloneNode(true) : null;
      if (about?.hasChildNodes()) {
        const details = make('div', 'confirm-details mb-4', about);
        details.tabIndex = 0;
        dialog.append(details);
      }
      dialog.append(make('div', 'd-flex gap-2 justify-content-end', no, yes));
      no.addEventListener('click', () => dialog.close('no'));
      yes.addEventListener('click', () => dialog.close('yes'));
      dialog.addEventListener('close', () => {
        dialog.remove();
        resolve(dialog.returnValue === 'yes');
      });
      body.append(dialog);
      dialog.showModal();
      no.focus();
    });
  }

  // --- telling and copying -----------------------------------------------------------------------------------------------------

  /** @param {string} text @param {'success' | 'danger'} kind */
  function say(text, kind) {
    const note = make('div', `alert alert-${kind} alert-important`, text);
    note.setAttribute('role', kind === 'danger' ? 'alert' : 'status');
    document.getElementById('toasts')?.append(note);
    setTimeout(() => note.remove(), PASSING_MS);
  }

  /** @param {HTMLElement} button */
  async function copy({ dataset }) {
    const field = /** @type {HTMLInputElement | null} */ (document.querySelector(dataset.copy ?? ''));
    field?.select();
    try {
      await navigator.clipboard.writeText(field?.value ?? '');
      say(dataset.copied ?? '', 'success');
    } catch {
      // Without TLS browsers give no clipboard; it is selected.
      say(dataset.byHand ?? '', 'danger');
    }
  }

  /** The warning of a default password leads to a form. */
  function focusTarget() {
    const target = /^#[a-z-]+$/.test(location.hash) ? document.querySelector(location.hash) : null;
    /** @type {HTMLElement | null | undefined} */ (target?.querySelector('input:not([type=hidden])'))?.focus();
  }
  addEventListener('hashchange', focusTarget);
  // Before that the browser itself looks for the place and takes the focus away.
  addEventListener('load', focusTarget);

  // --- the header --------------------------------------------------------------------------------------------------------------

  document.addEventListener('click', (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest('[data-appearance]')) toggleAppearance();
    const copier = target.closest('[data-copy]');
    if (copier instanceof HTMLElement) void copy(copier);
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

  const zone = document.querySelector('[data-zone]');
  if (zone) {
    const name = new Intl.DateTimeFormat(locale, { timeZoneName: 'longGeneric' }).formatToParts().find(({ type }) => type === 'timeZoneName');
    zone.textContent = (zone.getAttribute('data-zone') ?? '').replace('{zone}', name?.value ?? '');
  }
  for (const place of document.querySelectorAll('[data-with-script]')) place.removeAttribute('hidden');
  for (const note of document.querySelectorAll('[data-passing]')) setTimeout(() => note.remove(), PASSING_MS);
  // Of many tabs a phone shows the first ones.
  document.querySelector('.store-tabs .active')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  showTimes();
})();
