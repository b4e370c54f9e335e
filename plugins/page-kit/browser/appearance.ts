import { follow } from '../../../src/web/browser/kit/colour-scheme.js';

// Light or dark as it was chosen on the panel's pages, before the first paint; the button of this page changes it for all of them.
follow('[data-appearance]');
