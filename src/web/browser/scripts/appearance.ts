/** Light or dark scheme. A separate script that runs before the first paint, so that a dark page never flashes white. */
import { follow } from '../kit/colour-scheme.js';

follow('[data-theme-toggle]');
