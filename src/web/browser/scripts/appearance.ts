/** Light or dark. A script of its own, which runs before the first paint, so that a dark page never flashes white. */
import { storage } from '../kit/storage.js';

const chosen = storage('localStorage')?.getItem('svc-theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
document.documentElement.dataset.bsTheme = chosen === 'dark' ? 'dark' : 'light';
