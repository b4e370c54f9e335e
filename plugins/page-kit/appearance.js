// Light or dark as it was chosen on the panel's pages, before the first paint; the button of this page changes it for all of them.
(() => {
  'use strict';
  const root = document.documentElement;
  const system = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const read = () => {
    try {
      return localStorage.getItem('svc-theme');
    } catch {
      // Storage can be switched off; the system's preference stands then.
      return null;
    }
  };
  root.setAttribute('data-bs-theme', read() ?? system());
  document.addEventListener('click', ({ target }) => {
    if (!target.closest('[data-appearance]')) return;
    const next = root.getAttribute('data-bs-theme') === 'dark' ? 'light' : 'dark';
    root.setAttribute('data-bs-theme', next);
    try {
      localStorage.setItem('svc-theme', next);
    } catch {
      // It holds for this page then.
    }
  });
})();
