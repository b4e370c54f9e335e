// @ts-check
/** Files of forms: dropped or chosen, refused before they are sent where they are too large, sent with a bar that says how far they are. */
(() => {
  'use strict';

  const MEGABYTE = 1024 * 1024;
  /** What the store takes of a file, by its field. */
  const LIMITS = { zipfile: 50 * MEGABYTE, image: 5 * MEGABYTE };
  const { textOffline = '', textUnreadable = '' } = document.body.dataset;

  /** @param {string} text */
  function notice(text) {
    const note = document.createElement('div');
    note.className = 'alert alert-danger';
    note.setAttribute('role', 'alert');
    note.textContent = text;
    return note;
  }

  /** Shows in a place of a form how far an upload is. @param {HTMLElement | null | undefined} place @param {number} share 0 to 1; below 0: it is over */
  function move(place, share) {
    const [bar, words] = [place?.querySelector('progress'), place?.querySelector('span')];
    if (!place || !bar || !words) return;
    place.hidden = share < 0;
    bar.value = Math.max(0, share);
    words.textContent = share < 1 ? (place.dataset.sent ?? '').replace('{percent}', String(Math.floor(Math.max(0, share) * 100))) : (place.dataset.checking ?? '');
  }

  /**
   * What fetch() does, and tells how much of a body was sent.
   *
   * @param {string} address @param {RequestInit} init @param {(share: number) => void} onProgress
   * @returns {Promise<Response>}
   */
  function send(address, init, onProgress) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init.method ?? 'POST', address);
      for (const [name, value] of Object.entries(init.headers ?? {})) request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
      request.addEventListener('error', () => reject(new TypeError('Failed to fetch')));
      request.addEventListener('load', () => {
        const headers = new Headers();
        for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
          const at = line.indexOf(':');
          if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
        }
        resolve(new Response(request.responseText, { status: request.status, headers }));
      });
      request.send(/** @type {FormData} */ (init.body));
    });
  }

  // --- forms with a package ----------------------------------------------------------------------------------------------------

  document.addEventListener('htmx:config:request', (event) => {
    const { ctx } = /** @type {CustomEvent} */ (event).detail;
    const form = /** @type {HTMLFormElement | null} */ (ctx.sourceElement.closest('form[enctype="multipart/form-data"]'));
    if (!form || ctx.sourceElement.dataset.only) return;
    const file = ctx.request.body.get('zipfile');
    const zone = /** @type {HTMLElement | null} */ (form.querySelector('[data-drop]'));
    if (file instanceof File && file.size === 0) ctx.request.body.delete('zipfile');
    if (file instanceof File && file.size > LIMITS.zipfile) {
      event.preventDefault();
      form.querySelector('[data-problem]')?.replaceChildren(notice(zone?.dataset.tooLarge ?? ''));
      return;
    }
    const place = /** @type {HTMLElement | null} */ (form.querySelector('[data-progress]'));
    // As long as it takes.
    ctx.request.timeout = 0;
    ctx.fetch = (/** @type {string} */ address, /** @type {RequestInit} */ init) =>
      send(address, init, (share) => move(place, share)).finally(() => move(place, -1));
  });

  for (const zone of document.querySelectorAll('[data-drop]')) {
    const file = zone.querySelector('input');
    const chosen = zone.querySelector('[data-chosen]');
    if (!file || !chosen) continue;
    const size = new Intl.NumberFormat(document.documentElement.lang, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 });
    const told = () => {
      const [first] = file.files ?? [];
      // The browser shows the name itself, but not whether it was dropped or how large it is.
      chosen.textContent = first ? `${first.name} (${size.format(first.size / 1024)})` : '';
      if (first) guessNames(file.form, first.name);
    };
    file.addEventListener('change', told);
    zone.addEventListener('dragover', (event) => {
      event.preventDefault();
      zone.classList.add('is-over');
    });
    zone.addEventListener('dragleave', () => zone.classList.remove('is-over'));
    zone.addEventListener('drop', (event) => {
      event.preventDefault();
      zone.classList.remove('is-over');
      const { files } = /** @type {DragEvent} */ (event).dataTransfer ?? {};
      if (!files?.length) return;
      file.files = files;
      told();
    });
  }

  /** Packages are often called slug-v1.0.0.zip. @param {HTMLFormElement | null} form @param {string} name */
  function guessNames(form, name) {
    const [, slug, version] = /^([A-Za-z0-9_-]{1,63}?)(?:[-_]v?(\d[0-9A-Za-z.+_-]{0,31}))?\.zip$/i.exec(name) ?? [];
    for (const [field, guess] of [['slug', slug], ['version', version]]) {
      const input = form?.elements.namedItem(field ?? '');
      if (input instanceof HTMLInputElement && input.value === '' && guess) input.value = guess;
    }
  }

  // --- pictures, which are uploaded as soon as they are chosen -----------------------------------------------------------------

  for (const field of document.querySelectorAll('[data-image-field]')) openImageField(/** @type {HTMLElement} */ (field));

  /** @param {HTMLElement} field its hidden input holds the address of the picture */
  function openImageField(field) {
    const [holder, file] = field.querySelectorAll('input');
    const preview = /** @type {HTMLElement | null} */ (field.querySelector('.image-preview'));
    const problem = field.querySelector('[data-image-problem]');
    const place = /** @type {HTMLElement | null} */ (field.querySelector('[data-progress]'));
    if (!holder || !file || !preview || !problem) return;
    const remove = document.createElement('button');
    remove.type = 'button';
    remove.className = 'btn btn-sm';
    remove.textContent = preview.dataset.remove ?? '';
    /** @param {string} url */
    const set = (url) => {
      holder.value = url;
      const picture = document.createElement('img');
      picture.src = url;
      picture.alt = preview.dataset.label ?? '';
      preview.replaceChildren(...(url ? [picture, remove] : []));
    };
    remove.addEventListener('click', () => {
      set('');
      file.value = '';
    });
    file.addEventListener('change', async () => {
      const [picture] = file.files ?? [];
      if (!picture) return;
      problem.replaceChildren();
      file.disabled = true;
      try {
        if (picture.size > LIMITS.image) throw new Error(field.dataset.tooLarge);
        const body = new FormData();
        body.append('image', picture);
        set(await addressOf(await send('/api/upload/image', { body }, (share) => move(place, share))));
      } catch (error) {
        const text = error instanceof TypeError ? textOffline : /** @type {Error} */ (error).message;
        problem.replaceChildren(notice(text));
      } finally {
        file.disabled = false;
        file.value = '';
        move(place, -1);
      }
    });
    file.disabled = false;
    set(holder.value);
  }

  /** @param {Response} response @returns {Promise<string>} */
  async function addressOf(response) {
    const answer = await response.json().catch(() => null);
    if (answer?.code === 0) return answer.data.url;
    throw new Error(answer?.msg || textUnreadable.replace('{status}', String(response.status)));
  }
})();
