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
      location.assign(texts.login);
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

  /**
   * Asks before something is done. The button that does nothing has the focus, so that Enter, Enter changes nothing; Esc closes, and
   * the focus goes back to where it was. The other button is named and coloured like the one that was pressed.
   */
  function confirmed(text, source) {
    return new Promise((resolve) => {
      const isDanger = source.matches('.btn-danger, .btn-outline-danger');
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
  }

  // --- field errors ----------------------------------------------------------------------------------------------------------

  function clearErrors(form) {
    for (const field of form.querySelectorAll('.is-invalid')) {
      field.classList.remove('is-invalid');
      field.removeAttribute('aria-invalid');
      field.removeAttribute('aria-describedby');
    }
    for (const note of form.querySelectorAll('[data-field-error]')) note.remove();
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
    source.closest('.modal')?.querySelector('[data-bs-dismiss=modal]')?.click();
    if (source instanceof HTMLFormElement && source.dataset.reset !== undefined) source.reset();
    if (done === 'list') {
      const home = source.closest('[data-list]');
      void Promise.all(lists.map((list) => list.load())).then(() => keepFocus(home));
    }
    if (show) showAnswer(document.querySelector(show), answer);
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
    for (const form of root.querySelectorAll('form')) {
      form.reset();
      clearErrors(form);
    }
    for (const note of root.querySelectorAll('[data-form-error]')) note.hidden = true;
    for (const field of root.querySelectorAll('[data-from]')) {
      const value = partOf(values, field.dataset.from);
      field.value = field.dataset.as ? (JSON.parse(field.dataset.as)[value] ?? value) : value;
    }
    for (const place of root.querySelectorAll('[data-text]')) place.textContent = partOf(values, place.dataset.text);
    markUnenforced(root, `${values.bzx ?? ''},${values.bzxjd ?? ''}`);
  }

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
    if (isSuccess(answer)) {
      finish(form, answer, form.dataset.done ?? '');
      return;
    }
    const named = answer.fields && typeof answer.fields === 'object' && showErrors(form, answer.fields);
    const place = form.querySelector('[data-form-error]');
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
    } else if (form.dataset.searchFor) {
      event.preventDefault();
      lists.find((list) => list.root.id === form.dataset.searchFor)?.search(new FormData(form));
    }
  });

  document.addEventListener('click', (event) => {
    const copy = event.target.closest('[data-copy]');
    if (copy) void copyText(copy);
    const button = event.target.closest('button[data-ajax]');
    if (button) void runButton(button);
    if (event.target.closest('[data-theme-toggle]')) toggleTheme();
    const captcha = event.target.closest('[data-captcha-refresh]');
    if (captcha) void loadCaptcha(captcha.closest('[data-captcha]'));
  });

  async function copyText(button) {
    const field = document.querySelector(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(field.value);
      toast(button.dataset.copied, 'success');
    } catch {
      // Without a secure connection a page has no clipboard: it is marked, to be copied by hand.
      field.select();
    }
  }

  // --- captcha ---------------------------------------------------------------------------------------------------------------

  async function loadCaptcha(root) {
    const answer = await call('yzm');
    const image = answer.data?.image ?? answer.image;
    const picture = root.querySelector('img');
    if (typeof image === 'string' && image.startsWith('data:image/')) picture.src = image;
    root.querySelector('input').value = '';
    works.set(root, workOf(String(image), root.dataset.workScript));
  }

  /** What each captcha's browser works on while its characters are typed: a promise of the work, or of nothing. */
  const works = new Map();
  const HASHES_A_TURN = 4096;

  /** Does the work a picture asks for with `data-work="bits:challenge"`: finds what makes the SHA-256 of `challenge:work` begin with that many zero bits. */
  async function workOf(image, scriptUrl) {
    const base64 = 'data:image/svg+xml;base64,';
    const asked = image.startsWith(base64) && /^<svg data-work="(\d+):([\w-]+)"/.exec(atob(image.slice(base64.length)));
    if (!asked) return '';
    await loadScript(scriptUrl);
    const bits = Number(asked[1]);
    for (let work = 0; ; work += 1) {
      const [a, b, c, d] = window.sha256.array(`${asked[2]}:${work.toString(36)}`);
      if (((a << 24) | (b << 16) | (c << 8) | d) >>> (32 - bits) === 0) return work.toString(36);
      if (work % HASHES_A_TURN === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  }

  function loadScript(url) {
    if (window.sha256) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const script = element('script');
      script.addEventListener('load', resolve);
      script.addEventListener('error', reject);
      script.src = url;
      document.head.append(script);
    });
  }

  // --- lists -----------------------------------------------------------------------------------------------------------------

  const lists = [];

  const cellMakers = {
    text: (value) => document.createTextNode(value === null || value === undefined || value === '' ? '–' : String(value)),
    code: (value) => element('code', '', String(value ?? '')),
    money: (value) => document.createTextNode(value === null || value === undefined || value === '' ? '–' : `¥${value}`),
    expiry: (value) => document.createTextNode(!value || value === '0000-00-00' || value === '0' ? texts.textNever : String(value)),
    link: (value) => {
      if (!/^(?:https?:\/\/|\/(?!\/))/i.test(String(value ?? ''))) return cellMakers.text(value);
      const link = element('a', '', String(value).replace(/^https?:\/\//, ''));
      link.href = value;
      link.rel = 'noopener';
      link.target = '_blank';
      return link;
    },
    badge: (value, head) => {
      const [colour, label] = (JSON.parse(head.dataset.map)[String(value)] ?? `secondary:${value ?? ''}`).split(/:(.*)/s);
      return element('span', `badge bg-${colour}-lt`, label);
    },
    // Whoever caused a line from outside has no account: what stands there is a place, not a name.
    actor: (value, head) => {
      const [, source] = /^callback:(.*)$/s.exec(String(value ?? '')) ?? [];
      return source === undefined ? cellMakers.text(value) : element('span', 'badge bg-yellow-lt', fill(head.dataset.outside, { source }));
    },
    quota: (value) => quotaCell(value),
    brief: (value) => {
      const [first, ...rest] = String(value ?? '').split('\n');
      if (rest.length === 0) return cellMakers.text(first);
      const cell = element('details');
      cell.append(element('summary', '', first), element('pre', '', rest.join('\n')));
      return cell;
    },
    named: (value, head, row) => {
      const cell = element('div');
      cell.append(element('div', 'fw-medium', String(value ?? '')));
      const note = row[head.dataset.note];
      if (note) cell.append(element('div', 'text-secondary small', String(note)));
      if (row.error) cell.append(element('div', 'text-danger small mt-1', String(row.error)));
      const activity = row[head.dataset.activity];
      if (activity) cell.append(element('div', 'text-secondary small mt-1', String(activity)));
      const needs = Array.isArray(row.requires_plugins) ? row.requires_plugins : Object.keys(row.requires_plugins ?? {});
      if (head.dataset.needs && needs.length > 0) cell.append(element('div', 'text-secondary small mt-1', fill(head.dataset.needs, { list: needs.join(', ') })));
      for (const [field, label] of Object.entries(JSON.parse(head.dataset.extras ?? '{}'))) {
        if (row[field]) cell.append(element('div', 'text-secondary small mt-1', fill(label, { list: row[field] })));
      }
      if (Array.isArray(row.warnings) && row.warnings.length > 0) cell.append(warningsOf(row.warnings, head.dataset.warnings));
      return cell;
    },
  };

  function warningsOf(warnings, label) {
    const fold = element('details', 'small mt-1');
    const list = element('ul', 'mb-0 ps-3');
    for (const warning of warnings) list.append(element('li', '', String(warning)));
    fold.append(element('summary', 'text-warning-emphasis', fill(label ?? '{n}', { n: warnings.length })), list);
    fold.open = warnings.length < 3;
    return fold;
  }

  function quotaCell(value) {
    let quota = value;
    try {
      if (typeof value === 'string') quota = JSON.parse(value);
    } catch {
      quota = null;
    }
    if (!quota || typeof quota !== 'object') return cellMakers.text('');
    const used = Number(quota.dq) || 0;
    const limit = Number(quota.max) || 0;
    const cell = element('div', 'quota');
    cell.append(element('div', 'small text-secondary', limit > 0 ? `${used} / ${limit} MB` : `${used} MB`));
    if (limit > 0) {
      const bar = element('progress', 'progress progress-sm');
      bar.max = limit;
      bar.value = Math.min(used, limit);
      cell.append(bar);
    }
    return cell;
  }

  function allowed(button, row) {
    return (button.dataset.if ?? '').split(',').every((rule) => {
      const match = /^(\w+)(!?=)(.*)$/.exec(rule.trim());
      return !match || (String(row[match[1]] ?? '') === match[3]) === (match[2] === '=');
    });
  }

  /** Values are parts of the address and filled in encoded; a template that is one place alone takes a path of the panel as it is. */
  function hrefOf(template, row) {
    const path = String(row[/^\{(\w+)\}$/.exec(template)?.[1]] ?? '');
    if (/^\/(?![/\\])/.test(path)) return path;
    return fill(template, Object.fromEntries(Object.entries(row).map(([name, value]) => [name, encodeURIComponent(String(value))])));
  }

  class List {
    constructor(root) {
      this.root = root;
      this.page = 1;
      this.limit = Number(root.dataset.limit) || 20;
      this.sort = root.dataset.sort || 'id';
      this.order = root.dataset.order || 'DESC';
      this.where = '';
      this.heads = [...root.querySelectorAll('thead th')];
      this.tbody = root.querySelector('tbody');
      for (const head of this.heads) if (head.dataset.sortable !== undefined) this.makeSortable(head);
    }

    makeSortable(head) {
      const button = element('button', 'sort', head.textContent.trim());
      button.type = 'button';
      button.addEventListener('click', () => {
        this.order = this.sort === head.dataset.col && this.order === 'ASC' ? 'DESC' : 'ASC';
        this.sort = head.dataset.col;
        this.page = 1;
        void this.load();
      });
      head.replaceChildren(button);
    }

    search(data) {
      const value = String(data.get('value') ?? '').trim();
      this.where = value ? JSON.stringify({ name: data.get('name'), type: '2', value }) : '';
      this.page = 1;
      void this.load();
    }

    async load() {
      this.root.setAttribute('aria-busy', 'true');
      const fields = { page: this.page, limit: this.limit, sort: this.sort, sortOrder: this.order };
      if (this.where) fields.where = this.where;
      Object.assign(fields, JSON.parse(this.root.dataset.listFields || '{}'));
      const answer = await call(this.root.dataset.list, fields);
      this.root.setAttribute('aria-busy', 'false');
      const rows = Array.isArray(answer.rows) ? answer.rows : answer.data?.rows;
      if (!Array.isArray(rows)) {
        this.showText(messageOf(answer));
        return;
      }
      this.show(rows, Number(answer.total ?? answer.data?.total ?? rows.length));
    }

    show(rows, total) {
      for (const head of this.heads) {
        if (head.dataset.sortable === undefined) continue;
        if (head.dataset.col === this.sort) head.setAttribute('aria-sort', this.order === 'ASC' ? 'ascending' : 'descending');
        else head.removeAttribute('aria-sort');
      }
      if (rows.length === 0) this.showText(this.where ? texts.textNoMatch : (this.root.dataset.empty ?? texts.textEmpty));
      else this.tbody.replaceChildren(...rows.map((row) => this.row(row)));
      this.showPages(total);
    }

    showText(text) {
      const cell = element('td', 'text-secondary text-center py-5', text);
      cell.colSpan = this.heads.length;
      const row = element('tr');
      row.append(cell);
      this.tbody.replaceChildren(row);
    }

    row(values) {
      const row = element('tr');
      for (const head of this.heads) {
        const cell = element('td', head.dataset.kind === 'money' ? 'money' : head.dataset.whole === undefined ? '' : 'whole');
        if (head.dataset.actions !== undefined) cell.append(this.actions(values));
        else {
          cell.dataset.label = head.textContent.trim();
          cell.append((cellMakers[head.dataset.kind] ?? cellMakers.text)(values[head.dataset.col], head, values));
        }
        row.append(cell);
      }
      return row;
    }

    actions(values) {
      const cell = element('div', 'row-actions');
      const template = this.root.querySelector('template[data-row-actions]');
      for (const source of template.content.querySelectorAll('button, a')) {
        if (!allowed(source, values)) continue;
        const button = source.cloneNode(true);
        const fields = JSON.parse(button.dataset.fields || '{}');
        for (const [name, value] of Object.entries(fields)) fields[name] = fill(value, values);
        button.dataset.fields = JSON.stringify(fields);
        if (button.dataset.href) button.href = hrefOf(button.dataset.href, values);
        if (button.dataset.confirm) button.dataset.confirm = fill(button.dataset.confirm, values);
        if (button.dataset.fill !== undefined) button.addEventListener('click', () => fillFrom(document.querySelector(button.dataset.bsTarget), values));
        cell.append(button);
      }
      return cell;
    }

    showPages(total) {
      const pages = Math.max(1, Math.ceil(total / this.limit));
      const summary = this.root.querySelector('[data-summary]');
      if (summary) summary.textContent = fill(texts.textSummary, { total, page: this.page, pages });
      const bar = this.root.querySelector('[data-pages]');
      if (!bar) return;
      bar.replaceChildren();
      if (pages === 1) return;
      const near = [1, this.page - 1, this.page, this.page + 1, pages].filter((page) => page >= 1 && page <= pages);
      for (const page of [...new Set(near)].sort((a, b) => a - b)) bar.append(this.pageButton(page));
    }

    pageButton(page) {
      const item = element('li', `page-item${page === this.page ? ' active' : ''}`);
      const button = element('button', 'page-link', String(page));
      button.type = 'button';
      button.setAttribute('aria-label', fill(texts.textPage, { page }));
      if (page === this.page) button.setAttribute('aria-current', 'page');
      button.addEventListener('click', () => {
        this.page = page;
        void this.load();
      });
      item.append(button);
      return item;
    }
  }

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
  for (const root of document.querySelectorAll('[data-list]')) {
    const list = new List(root);
    lists.push(list);
    void list.load();
  }
  for (const select of document.querySelectorAll('select[data-options]')) void fillOptions(select);
  for (const link of document.querySelectorAll('a[data-lang]')) keepQuery(link);
  for (const root of document.querySelectorAll('[data-poll]')) poll(root);
})();
