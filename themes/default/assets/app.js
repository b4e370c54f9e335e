(() => {
  'use strict';

  const body = document.body;
  const texts = body.dataset;
  const endpoint = texts.endpoint;
  // The two refusals of the wire contract; they are never translated.
  const SIGN_IN_ANSWERS = ['请登陆后台', '请登陆'];
  const POLL_SECONDS = 3;
  const TOAST_SECONDS = 5;

  const element = (tag, className = '', text = '') => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text) node.textContent = text;
    return node;
  };

  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name] ?? '') : place));

  // --- talking to the server -------------------------------------------------------------------------------------------------

  const isSuccess = (answer) => Number(answer.qk) === 1 || answer.success === true;

  const messageOf = (answer) => {
    if (typeof answer.msg === 'string' && answer.msg) return answer.msg;
    return typeof answer.code === 'string' && answer.code ? answer.code : texts.textFailed;
  };

  function bodyOf(fields) {
    if (!Object.values(fields).some((value) => value instanceof File)) return new URLSearchParams(fields);
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return body;
  }

  async function call(gn, fields = {}) {
    let answer;
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        body: bodyOf({ ...fields, gn }),
        headers: { Accept: 'application/json' },
        credentials: 'same-origin',
      });
      answer = JSON.parse(await response.text());
    } catch {
      return { success: false, code: texts.textOffline };
    }
    if (answer === null || typeof answer !== 'object') return { success: false, code: texts.textFailed };
    if (SIGN_IN_ANSWERS.includes(answer.code) && !('qk' in answer) && texts.login) {
      keepDrafts();
      location.assign(`${texts.login}?next=${encodeURIComponent(location.pathname + location.search)}`);
      return new Promise(() => {});
    }
    return answer;
  }

  // --- telling people --------------------------------------------------------------------------------------------------------

  const toasts = element('div', 'toast-stack');
  toasts.setAttribute('aria-live', 'polite');
  body.append(toasts);

  function toast(text, kind) {
    const note = element('div', `alert alert-${kind} alert-important`, text);
    note.setAttribute('role', kind === 'danger' ? 'alert' : 'status');
    toasts.append(note);
    setTimeout(() => note.remove(), TOAST_SECONDS * 1000);
  }

  /** What a page has to say when it is shown goes where everything else is said; without a script it stays where it stands. */
  function liftToasts() {
    for (const note of document.querySelectorAll('[data-toast]')) {
      toast(note.textContent.trim(), note.dataset.toast);
      note.remove();
    }
  }

  /**
   * Asks before something is done. The button that does nothing has the focus, so that Enter, Enter changes nothing; Esc closes, and
   * the focus goes back to where it was. The other button is named and coloured like the one that was pressed.
   */
  function confirmed(text, source) {
    return new Promise((resolve) => {
      const isDanger = source.matches('.btn-danger, .btn-outline-danger, .text-danger');
      const dialog = element('dialog', 'confirm');
      const message = element('p', 'mb-4', text);
      message.id = 'confirm-text';
      const buttons = element('div', 'd-flex gap-2 justify-content-end');
      const no = element('button', 'btn', texts.textCancel);
      const yes = element('button', `btn ${isDanger ? 'btn-danger' : 'btn-primary'}`, source.textContent.trim() || texts.textConfirm);
      no.type = yes.type = 'button';
      no.addEventListener('click', () => dialog.close('no'));
      yes.addEventListener('click', () => dialog.close('yes'));
      dialog.setAttribute('aria-labelledby', message.id);
      dialog.addEventListener('close', () => {
        dialog.remove();
        // What was chosen in a menu is hidden again: its menu's button has the focus then.
        if (!source.checkVisibility()) source.closest('.dropdown')?.querySelector('[data-bs-toggle]').focus();
        resolve(dialog.returnValue === 'yes');
      });
      buttons.append(no, yes);
      dialog.append(message, buttons);
      body.append(dialog);
      dialog.showModal();
      no.focus();
    });
  }

  function setBusy(button, busy) {
    if (!button) return;
    button.disabled = busy;
    button.classList.toggle('btn-loading', busy);
    button.setAttribute('aria-busy', String(busy));
    // A button that is disabled loses the focus; without it Esc closes no dialog, and the keyboard begins anew at the top.
    if (!busy && document.activeElement === body) button.focus();
  }

  // --- field errors ----------------------------------------------------------------------------------------------------------

  function clearErrors(form) {
    for (const field of form.querySelectorAll('.is-invalid')) {
      field.classList.remove('is-invalid');
      field.removeAttribute('aria-invalid');
      field.removeAttribute('aria-describedby');
    }
    for (const note of form.querySelectorAll('[data-field-error]')) note.remove();
    for (const note of form.querySelectorAll('[data-form-error]')) note.hidden = true;
  }

  /** Where a form says what is wrong with all of it; one that somebody else was faster with has a place for that in any case. */
  function errorPlace(form, answer) {
    const place = form.querySelector('[data-form-error]');
    if (place || typeof answer.row_version !== 'string') return place;
    const made = element('div', 'alert alert-danger m-3 mb-0');
    made.setAttribute('role', 'alert');
    made.dataset.formError = '';
    form.prepend(made);
    return made;
  }

  function showErrors(form, fields) {
    let first = null;
    for (const [name, text] of Object.entries(fields)) {
      const found = form.elements.namedItem(name);
      const field = found instanceof RadioNodeList ? found[0] : found;
      if (!(field instanceof HTMLElement) || field.type === 'hidden') continue;
      const note = element('div', 'invalid-feedback d-block', String(text));
      note.dataset.fieldError = '';
      note.id = `${field.id || name}-error`;
      field.classList.add('is-invalid');
      field.setAttribute('aria-invalid', 'true');
      field.setAttribute('aria-describedby', note.id);
      (field.closest('.input-group') ?? field).after(note);
      first ??= field;
    }
    first?.focus();
    return first !== null;
  }

  // --- operations of forms and buttons ---------------------------------------------------------------------------------------

  function fieldsOf(form) {
    const fields = {};
    if (form.dataset.json) {
      const rows = [...form.querySelectorAll('[data-json-row]')].map(rowOf).filter((row) => row !== null);
      fields[form.dataset.json] = JSON.stringify(rows);
      const version = form.elements.namedItem('row_version');
      if (version) fields.row_version = version.value;
      return fields;
    }
    // A file field nobody chose a file in sends nothing.
    for (const [name, value] of new FormData(form)) if (typeof value === 'string' || value.size > 0) fields[name] = value;
    for (const box of form.querySelectorAll('input[type=checkbox][data-off]')) if (!box.checked) fields[box.name] = box.dataset.off;
    return fields;
  }

  function rowOf(row) {
    const values = {};
    for (const input of row.querySelectorAll('[data-key]')) {
      if (input.type === 'checkbox') {
        if (!input.checked) return null;
      } else {
        values[input.dataset.key] = input.type === 'number' ? Number(input.value) : input.value;
      }
    }
    return values;
  }

  function finish(source, answer, done) {
    changedForms.delete(source);
    if (source.dataset.ajax === 'logout') forgetDrafts();
    const redirect = typeof answer.redirect === 'string' ? answer.redirect : done;
    if (redirect && /^\/(?![/\\])/.test(redirect)) {
      location.assign(redirect);
      return;
    }
    if (done === 'reload') {
      location.reload();
      return;
    }
    toast(messageOf(answer), 'success');
    const { open, show } = source.dataset;
    if (open && /^(?:https?:\/\/|\/(?![/\\]))/i.test(String(answer[open] ?? ''))) window.open(answer[open], '_blank', 'noopener');
    closeModal(source.closest('.modal'));
    if (source instanceof HTMLFormElement && source.dataset.reset !== undefined) source.reset();
    if (done === 'list') {
      const home = source.closest('[data-list]')?.id;
      void refreshLists().then(() => keepFocus(home && document.getElementById(home)));
    }
    if (show) showAnswer(document.querySelector(show), answer);
    if (source.dataset.follows && answer.task_id) void followTask(document.querySelector(source.dataset.follows), answer.task_id);
  }

  /** Shows how far a task is until it has ended: the operation `data-tasks` lists tasks, newest first. */
  async function followTask(place, id) {
    const state = place.querySelector('[data-task-state]');
    const bar = place.querySelector('progress');
    place.hidden = false;
    bar.hidden = false;
    for (let wasListed = false; ; ) {
      const { rows } = await call(place.dataset.tasks, { page: 1, limit: 100 });
      const task = (rows ?? []).find((row) => row.task_id === id);
      const status = task?.status ?? (wasListed ? 'gone' : 'pending');
      wasListed ||= task !== undefined;
      state.textContent = place.dataset[`task${status[0].toUpperCase()}${status.slice(1)}`] ?? status;
      bar.hidden = ['success', 'failed', 'gone'].includes(status);
      if (bar.hidden) break;
      await new Promise((resolve) => setTimeout(resolve, POLL_SECONDS * 1000));
    }
    void refreshLists();
  }

  /** A row that is gone took the focus with it: its list gets it, so that the keyboard goes on from there. */
  function keepFocus(home) {
    if (!home || document.activeElement !== body) return;
    home.tabIndex = -1;
    home.focus({ preventScroll: true });
  }

  /** Opens a modal whose `data-from` fields and `data-text` places show parts of an answer. */
  function showAnswer(modal, answer) {
    fillFrom(modal, answer);
    openModal(modal);
  }

  const openingModals = new WeakSet();
  document.addEventListener('show.bs.modal', ({ target }) => openingModals.add(target));
  document.addEventListener('shown.bs.modal', ({ target }) => openingModals.delete(target));

  /** Bootstrap closes no dialog that is still opening, and an answer can be faster than that. */
  function closeModal(modal) {
    const dismiss = () => modal.querySelector('[data-bs-dismiss=modal]')?.click();
    if (!modal) return;
    if (openingModals.has(modal)) modal.addEventListener('shown.bs.modal', dismiss, { once: true });
    else dismiss();
  }

  function openModal(modal) {
    const opener = element('button', 'd-none');
    opener.type = 'button';
    opener.dataset.bsToggle = 'modal';
    opener.dataset.bsTarget = `#${modal.id}`;
    body.append(opener);
    opener.click();
    opener.remove();
  }

  /** The part of a row a path such as `hxa/max` names; a text of JSON is read on the way. */
  function partOf(values, path) {
    let value = values;
    for (const name of path.split('/')) {
      try {
        if (typeof value === 'string') value = JSON.parse(value);
      } catch {
        return '';
      }
      value = value?.[name];
    }
    return value === null || value === undefined ? '' : String(value);
  }

  function fillFrom(root, values) {
    filledFrom.set(root, values);
    for (const button of root.querySelectorAll('[data-reveal]')) showSecret(button, false);
    for (const form of root.querySelectorAll('form')) {
      form.reset();
      clearErrors(form);
    }
    for (const field of root.querySelectorAll('[data-from]')) {
      const value = partOf(values, field.dataset.from);
      field.value = field.dataset.as ? (JSON.parse(field.dataset.as)[value] ?? value) : value;
    }
    for (const place of root.querySelectorAll('[data-text]')) place.textContent = partOf(values, place.dataset.text);
    markUnenforced(root, `${values.bzx ?? ''},${values.bzxjd ?? ''}`);
  }

  /** What each modal was filled from. */
  const filledFrom = new WeakMap();

  /** Shows, at the fields a server keeps without effect, that it does. @param names of these fields, with commas */
  function markUnenforced(root, names) {
    for (const note of root.querySelectorAll('[data-unenforced]')) note.hidden = !names.split(',').includes(note.dataset.unenforced);
  }

  async function submitForm(form, button) {
    if (form.dataset.confirm && !(await confirmed(form.dataset.confirm, button))) return;
    clearErrors(form);
    const { repeat, repeatText } = form.dataset;
    if (repeat && form.elements.namedItem(repeat).value !== form.querySelector('[data-repeat-of]').value) {
      showErrors(form, { [form.querySelector('[data-repeat-of]').name]: repeatText });
      return;
    }
    setBusy(button, true);
    const fields = fieldsOf(form);
    for (const captcha of form.querySelectorAll('[data-captcha]')) {
      const work = await works.get(captcha);
      if (work) fields[captcha.querySelector('input').name] += `.${work}`;
    }
    const answer = await call(form.dataset.ajax, fields);
    setBusy(button, false);
    // Saved, or told what is other now: the next save compares with that.
    const version = form.elements.namedItem('row_version');
    if (version && typeof answer.row_version === 'string') version.value = answer.row_version;
    if (isSuccess(answer)) {
      finish(form, answer, form.dataset.done ?? '');
      return;
    }
    const named = answer.fields && typeof answer.fields === 'object' && showErrors(form, answer.fields);
    const place = errorPlace(form, answer);
    if (place) {
      place.textContent = messageOf(answer);
      place.hidden = false;
    } else if (!named) {
      toast(messageOf(answer), 'danger');
    }
    for (const captcha of form.querySelectorAll('[data-captcha]')) void loadCaptcha(captcha);
  }

  async function runButton(button) {
    if (button.dataset.confirm && !(await confirmed(button.dataset.confirm, button))) return;
    setBusy(button, true);
    const answer = await call(button.dataset.ajax, JSON.parse(button.dataset.fields || '{}'));
    setBusy(button, false);
    if (isSuccess(answer)) finish(button, answer, button.dataset.done ?? '');
    else toast(messageOf(answer), 'danger');
  }

  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.dataset.ajax) {
      event.preventDefault();
      void submitForm(form, event.submitter ?? form.querySelector('[type=submit]'));
    }
  });

  document.addEventListener('click', (event) => {
    const copy = event.target.closest('[data-copy]');
    if (copy) void copyText(copy);
    const reveal = event.target.closest('[data-reveal]');
    if (reveal) showSecret(reveal, document.querySelector(reveal.dataset.reveal).type === 'password');
    const button = event.target.closest('button[data-ajax]');
    if (button) void runButton(button);
    const bulk = event.target.closest('[data-bulk]');
    if (bulk) void runBulk(bulk);
    const opener = event.target.closest('[data-fill]');
    if (opener) fillFrom(document.querySelector(opener.dataset.bsTarget), JSON.parse(opener.dataset.fill));
    if (event.target.closest('[data-theme-toggle]')) toggleTheme();
    const captcha = event.target.closest('[data-captcha-refresh]');
    if (captcha) void loadCaptcha(captcha.closest('[data-captcha]'));
  });

  /** A secret stays one while it can be read: it is kept nowhere. */
  function showSecret(button, shown) {
    const field = document.querySelector(button.dataset.reveal);
    field.dataset.secret = '';
    field.type = shown ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(shown));
  }

  async function copyText(button) {
    const field = document.querySelector(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(field.value);
      toast(button.dataset.copied, 'success');
    } catch {
      // Without a secure connection a page has no clipboard: it is shown and marked, to be copied by hand.
      if (field.type === 'password') field.type = 'text';
      field.select();
    }
  }

  // --- forms with changes nobody saved ------------------------------------------------------------------------------------------

  const changedForms = new Set();

  document.addEventListener('input', ({ target }) => {
    if (target.form?.dataset.ajax && target.form.dataset.draft !== 'off') changedForms.add(target.form);
  });
  document.addEventListener('reset', ({ target }) => changedForms.delete(target));
  // Who closes a dialog gives up what was typed into it.
  document.addEventListener('hidden.bs.modal', ({ target }) => {
    for (const form of target.querySelectorAll('form')) changedForms.delete(form);
  });
  window.addEventListener('beforeunload', (event) => {
    if (changedForms.size > 0) event.preventDefault();
  });

  // A session may end while somebody types. What was typed waits in this tab for the same account to sign in again; never a secret.
  const DRAFT = 'svc-draft:';
  const draftName = DRAFT + location.pathname + location.search;

  const isKept = (field) => field.name !== '' || field.dataset.key !== undefined;
  const isSecret = (field) => field.type === 'password' || field.type === 'file' || field.dataset.secret !== undefined;
  const isTicked = (field) => field.type === 'checkbox' || field.type === 'radio';
  /** Fields of a form that can be kept, each with a name that finds it again. */
  const draftFields = (form) =>
    [...form.elements].filter(isKept).map((field, at) => [`${at} ${field.name || field.dataset.key}`, field]).filter(([, field]) => !isSecret(field));
  const formsLike = (operation) => [...document.querySelectorAll('form[data-ajax]')].filter((form) => form.dataset.ajax === operation);

  function draftOf(form) {
    const operation = form.dataset.ajax;
    return {
      operation,
      at: formsLike(operation).indexOf(form),
      filled: filledFrom.get(form.closest('.modal')),
      fields: Object.fromEntries(draftFields(form).map(([name, field]) => [name, isTicked(field) ? field.checked : field.value])),
    };
  }

  function keepDrafts() {
    if (changedForms.size === 0) return;
    const forms = [...changedForms].map(draftOf);
    changedForms.clear();
    try {
      sessionStorage.setItem(draftName, JSON.stringify({ account: texts.account, forms }));
    } catch {
      // Without storage what was typed is lost, as it was before.
    }
  }

  function forgetDrafts() {
    try {
      for (const name of Object.keys(sessionStorage)) if (name.startsWith(DRAFT)) sessionStorage.removeItem(name);
    } catch {
      // Nothing was kept.
    }
  }

  /** Fills in what was typed before the session ended, and opens the dialog it was typed into. @param ready settles when every choice is loaded */
  async function restoreDrafts(ready) {
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(draftName));
    } catch {
      // Without storage there is nothing to fill in.
    }
    if (!kept || !texts.account) return;
    forgetDrafts();
    if (kept.account !== texts.account) return;
    await ready;
    for (const { operation, at, filled, fields } of kept.forms) {
      const form = formsLike(operation)[at];
      if (!form) continue;
      const modal = form.closest('.modal');
      if (modal && filled) fillFrom(modal, filled);
      for (const [name, field] of draftFields(form)) {
        if (!(name in fields)) continue;
        if (isTicked(field)) field.checked = fields[name];
        else field.value = fields[name];
      }
      changedForms.add(form);
      if (modal) openModal(modal);
    }
    toast(texts.textRestored, 'info');
  }

  // --- captcha ---------------------------------------------------------------------------------------------------------------

  async function loadCaptcha(root) {
    const answer = await call('yzm');
    const image = answer.data?.image ?? answer.image;
    const picture = root.querySelector('img');
    if (typeof image === 'string' && image.startsWith('data:image/')) picture.src = image;
    root.querySelector('input').value = '';
    works.set(root, workOf(String(image), root.dataset.workScripts));
  }

  /** What each captcha's browser works on while its characters are typed: a promise of the work, or of nothing. */
  const works = new Map();

  /** Does the work a picture asks for, with scripts that come when there is some. */
  async function workOf(image, scriptUrls) {
    const base64 = 'data:image/svg+xml;base64,';
    const svg = image.startsWith(base64) ? atob(image.slice(base64.length)) : '';
    if (!svg.startsWith('<svg data-work=')) return '';
    for (const url of scriptUrls.split(' ')) await loadScript(url);
    return window.captchaWork(svg);
  }

  const scripts = new Map();

  /** Runs a script once, however often it is wanted. */
  function loadScript(url) {
    if (!scripts.has(url)) {
      const loaded = new Promise((resolve, reject) => {
        const script = element('script');
        script.addEventListener('load', resolve);
        script.addEventListener('error', reject);
        script.src = url;
        document.head.append(script);
      });
      scripts.set(url, loaded);
    }
    return scripts.get(url);
  }

  /** A page with a chart loads what draws it; no other does. */
  async function drawCharts() {
    if (!document.querySelector('[data-chart]')) return;
    for (const url of texts.chartScripts.split(' ')) await loadScript(url);
  }

  // --- lists -----------------------------------------------------------------------------------------------------------------

  /** Loads the lists of the page again as their addresses say, after something was done with a row. */
  function refreshLists() {
    const roots = [...document.querySelectorAll('[data-list]')];
    return Promise.all(
      roots.map(({ id, dataset }) => window.htmx.ajax('GET', dataset.refresh, { target: `#${id}`, select: `#${id}`, swap: 'outerHTML' })),
    );
  }

  const chosenOf = (list) => [...list.querySelectorAll('[data-choose]:checked')].map((box) => box.dataset.choose);

  /** What can be done with the rows that are chosen shows while some are. */
  function showChosen(list) {
    const bar = list.querySelector('[data-bulk-bar]');
    const count = chosenOf(list).length;
    const all = list.querySelectorAll('[data-choose]').length;
    bar.hidden = count === 0;
    const text = bar.querySelector('[data-bulk-count]');
    text.textContent = fill(text.dataset.bulkCount, { n: count });
    const box = list.querySelector('[data-choose-all]');
    box.checked = count > 0 && count === all;
    box.indeterminate = count > 0 && count < all;
  }

  async function runBulk(button) {
    const ids = chosenOf(button.closest('[data-list]'));
    const { bulk, bulkField, bulkConfirm } = button.dataset;
    if (!(await confirmed(fill(bulkConfirm, { n: ids.length }), button))) return;
    setBusy(button, true);
    const answer = await call(bulk, { [bulkField]: ids.join(',') });
    setBusy(button, false);
    toast(messageOf(answer), isSuccess(answer) ? 'success' : 'danger');
    // Some of them may be done where not all are.
    await refreshLists();
  }

  document.addEventListener('change', ({ target }) => {
    if (target.dataset.submits !== undefined) target.form.requestSubmit();
    const list = target.closest('[data-list]');
    if (target.dataset.chooseAll !== undefined) for (const box of list.querySelectorAll('[data-choose]')) box.checked = target.checked;
    if (target.dataset.chooseAll !== undefined || target.dataset.choose !== undefined) showChosen(list);
  });

  // A part of a page that cannot be loaded leaves what is there, and says why.
  document.addEventListener('htmx:before:response', (event) => {
    const { raw } = event.detail.ctx.response;
    // Only to the login page.
    if (raw.headers.has('HX-Redirect')) keepDrafts();
    if (raw.ok) return;
    event.preventDefault();
    toast(texts.textFailed, 'danger');
  });
  document.addEventListener('htmx:error', () => toast(texts.textOffline, 'danger'));

  // --- options filled from a list (the nodes of a form) ----------------------------------------------------------------------

  async function fillOptions(select) {
    const answer = await call(select.dataset.options, { page: 1, limit: 100, sort: 'id', sortOrder: 'ASC' });
    const { optionValue, optionLabel } = select.dataset;
    for (const row of answer.rows ?? answer.data?.rows ?? []) {
      const value = String(row[optionValue]);
      const label = row[optionLabel] && row[optionLabel] !== row[optionValue] ? `${value} · ${row[optionLabel]}` : value;
      const option = new Option(label, value);
      option.dataset.unenforced = row[select.dataset.unenforcedFrom] ?? '';
      select.add(option);
    }
    if (select.dataset.unenforcedFrom === undefined) return;
    const mark = () => markUnenforced(select.form, select.selectedOptions[0]?.dataset.unenforced ?? '');
    select.addEventListener('change', mark);
    mark();
  }

  // --- colour scheme, language, payment state --------------------------------------------------------------------------------

  function toggleTheme() {
    const next = document.documentElement.getAttribute('data-bs-theme') === 'dark' ? 'light' : 'dark';
    document.documentElement.setAttribute('data-bs-theme', next);
    try {
      localStorage.setItem('svc-theme', next);
    } catch {
      // Without storage the choice lasts for this page.
    }
  }

  function keepQuery(link) {
    const query = new URLSearchParams(location.search);
    query.set('lang', link.dataset.lang);
    link.href = `?${query}`;
  }

  function poll(root) {
    const timer = setInterval(async () => {
      if (document.hidden) return;
      try {
        const response = await fetch(root.dataset.poll, { headers: { Accept: 'application/json' }, credentials: 'same-origin' });
        const answer = await response.json();
        const status = answer.data?.status ?? answer.status;
        if (!status || status === 'unpaid') return;
        clearInterval(timer);
        const done = root.dataset.pollDone;
        if (done && /^\/(?![/\\])/.test(done)) location.assign(done);
        else location.reload();
      } catch {
        // The next round tries again.
      }
    }, POLL_SECONDS * 1000);
  }

  for (const root of document.querySelectorAll('[data-captcha]')) void loadCaptcha(root);
  const choices = Promise.all([...document.querySelectorAll('select[data-options]')].map(fillOptions));
  for (const link of document.querySelectorAll('a[data-lang]')) keepQuery(link);
  for (const root of document.querySelectorAll('[data-poll]')) poll(root);
  liftToasts();
  void drawCharts();
  void restoreDrafts(choices);
})();
