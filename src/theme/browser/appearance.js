// @ts-check
// Light or dark, on pages of panel and store. Runs before the first paint, so that a dark page never flashes white.
(() => {
  'use strict';
  let chosen = null;
  try {
    chosen = localStorage.getItem('svc-theme');
  } catch {
    // Storage can be switched off; the system's preference stands then.
  }
  const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.setAttribute('data-bs-theme', dark ? 'dark' : 'light');
})();
