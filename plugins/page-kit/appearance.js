// Light or dark as it was chosen on the panel's pages, before the first paint; the button of this page changes it for all of them.
// Without a choice it is as the system has it, also when that changes while the page is open.
(() => {
  'use strict';
  const KEY = 'svc-theme';
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const ofSystem = () => (system.matches ? 'dark' : 'light');
  const storage = () => {
    try {
      return localStorage;
    } catch {
      // Storage can be switched off; the system's preference stands then.
      return null;
    }
  };
  const show = () => root.setAttribute('data-bs-theme', storage()?.getItem(KEY) ?? ofSystem());
  show();
  system.addEventListener('change', show);
  addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) show();
  });
  document.addEventListener('click', ({ target }) => {
    if (!target.closest('[data-appearance]')) return;
    const next = root.getAttribute('data-bs-theme') === 'dark' ? 'light' : 'dark';
    root.setAttribute('data-bs-theme', next);
    // Who chooses what the system has follows the system again.
    if (next === ofSystem()) storage()?.removeItem(KEY);
    else storage()?.setItem(KEY, next);
  });
})();
