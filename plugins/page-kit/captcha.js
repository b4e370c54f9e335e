import { sha256 } from 'js-sha256';

// Another captcha at a click, and the work that may be asked with one (CAPTCHA_WORK): a text whose SHA-256 begins with so many zero bits.
(() => {
  'use strict';
  for (const box of document.querySelectorAll('[data-captcha]')) {
    const picture = box.querySelector('img');
    const field = box.querySelector('input');
    const form = box.closest('form');
    let work = Promise.resolve('');
    const load = async () => {
      field.value = '';
      const answer = await fetch('/user/code.php', { cache: 'no-store' });
      const svg = await answer.text();
      if (!answer.ok) throw new Error(svg);
      picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      const [, bits, challenge] = /^<svg data-work="(\d+):([\w-]+)"/.exec(svg) ?? [];
      return bits ? workOf(challenge, Number(bits)) : '';
    };
    const renew = () => {
      work = load().catch((error) => {
        picture.removeAttribute('src');
        picture.alt = error.message;
        return '';
      });
    };
    box.querySelector('[data-renew]').addEventListener('click', renew);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      for (const button of form.querySelectorAll('button')) button.disabled = true;
      const done = await work;
      if (done) field.value = `${field.value.trim()}.${done}`;
      form.submit();
    });
    field.removeAttribute('maxlength');
    renew();
  }

  async function workOf(challenge, bits) {
    for (let work = 0; ; work += 1) {
      const text = work.toString(36);
      if (parseInt(sha256(`${challenge}:${text}`).slice(0, 8), 16) >>> (32 - bits) === 0) return text;
      if (work % 4096 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  }
})();
