// @ts-check
import { call } from './api.js';
import { messageOf, say, sayLater, sayWhatWaits } from './feedback.js';

/** What is on every page: its appearance, its language, the account's menu. */
document.querySelector('[data-appearance]')?.addEventListener('click', () => {
  const next = document.documentElement.getAttribute('data-bs-theme') === 'dark' ? 'light' : 'dark';
  document.documentElement.setAttribute('data-bs-theme', next);
  try {
    localStorage.setItem('svc-theme', next);
  } catch {
    // It holds for this page then.
  }
});

for (const link of document.querySelectorAll('a[data-lang]')) {
  // Filters change the address after the link was made.
  link.addEventListener('click', () => {
    const query = new URLSearchParams(location.search);
    query.set('lang', link.getAttribute('data-lang') ?? '');
    link.setAttribute('href', `?${query}`);
  });
}

const signOut = document.querySelector('[data-sign-out]');
signOut?.addEventListener('click', async () => {
  try {
    const { msg } = await call('POST', '/auth/logout');
    sayLater(msg);
    location.assign('/store/');
  } catch (error) {
    say(messageOf(error), 'danger');
  }
});

const menu = document.querySelector('details.account-menu');
if (menu instanceof HTMLDetailsElement) {
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}

// Of many tabs a phone shows the first ones.
document.querySelector('.store-tabs .active')?.scrollIntoView({ block: 'nearest', inline: 'center' });

sayWhatWaits();
