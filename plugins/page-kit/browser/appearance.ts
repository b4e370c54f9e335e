import { follow } from '../../../src/web/browser/kit/colour-scheme.js';

// Applies light or dark mode as chosen on the panel's pages, before the first paint; this page's button changes it for all of them.
follow('[data-appearance]');
