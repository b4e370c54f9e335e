import { storage } from './storage.js';

/** Where the reader's choice is kept; nothing there: as the system. Pages of plugins (plugins/page-kit) follow it too. */
const KEY = 'svc-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

const ofSystem = (): string => (system.matches ? 'dark' : 'light');

function show(): void {
  const chosen = storage('localStorage')?.getItem(KEY) ?? ofSystem();
  document.documentElement.dataset.bsTheme = chosen === 'dark' ? 'dark' : 'light';
}

/** Shows the page light or dark, and again whenever the system, another tab or a button changes that. @param toggle selects such buttons */
export function follow(toggle: string): void {
  show();
  system.addEventListener('change', show);
  addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) show();
  });
  document.addEventListener('click', ({ target }) => {
    if ((target as Element).closest(toggle)) switchOver();
  });
}

/** Light where it was dark, and the other way round. Whoever chooses what the system has follows the system again. */
function switchOver(): void {
  const { dataset } = document.documentElement;
  dataset.bsTheme = dataset.bsTheme === 'dark' ? 'light' : 'dark';
  if (dataset.bsTheme === ofSystem()) storage('localStorage')?.removeItem(KEY);
  else storage('localStorage')?.setItem(KEY, dataset.bsTheme);
}
