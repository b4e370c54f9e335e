import { storage } from './storage.js';

/** Storage key of the reader's choice; missing: follows the system. Also used by pages of plugins (plugins/page-kit). */
const KEY = 'svc-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

const ofSystem = (): string => (system.matches ? 'dark' : 'light');

function show(): void {
  const chosen = storage('localStorage')?.getItem(KEY) ?? ofSystem();
  document.documentElement.dataset.bsTheme = chosen === 'dark' ? 'dark' : 'light';
}

/**
 * Applies the light or dark scheme, and updates it when the system, another tab or a button changes it.
 *
 * @param toggle selector of such buttons
 */
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

/** Toggles the scheme. Choosing the system's scheme removes the stored choice. */
function switchOver(): void {
  const { dataset } = document.documentElement;
  dataset.bsTheme = dataset.bsTheme === 'dark' ? 'light' : 'dark';
  if (dataset.bsTheme === ofSystem()) storage('localStorage')?.removeItem(KEY);
  else storage('localStorage')?.setItem(KEY, dataset.bsTheme);
}
