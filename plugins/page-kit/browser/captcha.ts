import { captcha } from '../../../src/web/browser/kit/captcha-box.js';

// Renews the captcha on click, and does its proof of work if required (CAPTCHA_WORK).
for (const box of document.querySelectorAll<HTMLElement>('[data-captcha]')) {
  const renew = captcha(box, load);
  const form = box.closest('form')!;
  box.querySelector('[data-renew]')!.addEventListener('click', renew);
  // Prevents a second submission, whose characters would be used up. Disabled only after the form's data was read.
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
