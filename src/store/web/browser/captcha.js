// @ts-check
/** The picture of a form, and the work that may be asked besides. A picture is good for one try: after one that failed there is a new one. */
(() => {
  'use strict';

  for (const place of document.querySelectorAll('[data-captcha]')) open(/** @type {HTMLElement} */ (place));

  /** @param {HTMLElement} place */
  function open(place) {
    const [typed, done] = place.querySelectorAll('input');
    const picture = place.querySelector('img');
    const another = /** @type {HTMLButtonElement | null} */ (place.querySelector('[data-captcha-another]'));
    if (!typed || !done || !picture || !another) return;
    /** @type {Promise<void>} */
    let work = Promise.resolve();
    const renew = () => {
      typed.value = '';
      work = load();
    };
    const load = async () => {
      done.value = '';
      const response = await fetch('/api/auth/captcha', { cache: 'no-store' });
      const svg = await response.text();
      picture.alt = response.ok ? picture.alt : svg;
      picture.src = response.ok ? `data:image/svg+xml,${encodeURIComponent(svg)}` : '';
      done.value = response.ok ? ((await /** @type {any} */ (window).captchaWork?.(svg)) ?? '') : '';
    };
    another.addEventListener('click', renew);
    picture.hidden = another.hidden = false;
    renew();

    // The form is sent once the work is done; who types for a moment does not wait.
    place.closest('form')?.addEventListener('htmx:config:request', (event) => {
      const { ctx } = /** @type {CustomEvent} */ (event).detail;
      const send = ctx.fetch ?? fetch.bind(window);
      ctx.fetch = async (/** @type {string} */ address, /** @type {RequestInit} */ request) => {
        await work.catch(() => undefined);
        if (request.body instanceof URLSearchParams) request.body.set(done.name, done.value);
        return send(address, request);
      };
    });
    place.closest('form')?.addEventListener('htmx:response:error', renew);
  }
})();
