import { captcha } from '../../../src/web/browser/kit/captcha-box.js';

// Another captcha at a click, and the work that may be asked with one (CAPTCHA_WORK).
for (const box of document.querySelectorAll<HTMLElement>('[data-captcha]')) {
  const renew = captcha(box, load);
  const form = box.closest('form')!;
  box.querySelector('[data-renew]')!.addEventListener('click', renew);
  // A second press would send characters that are used up. What is sent is taken from the form first.
  form.addEventListener('submit', () => {
    setTimeout(() => form.querySelectorAll('button').forEach((button) => (button.disabled = true)));
  });
}

async function load(): Promise<string> {
  const answer = await fetch('/user/code.php', { cache: 'no-store' });
  const svg = await answer.text();
  if (!answer.ok) throw new Error(svg);
  return `data:image/svg+xml;base64,${btoa(svg)}`;
}
