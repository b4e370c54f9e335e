/** Light or dark. A script of its own, which runs before the first paint, so that a dark page never flashes white. */
import { follow } from '../kit/colour-scheme.js';

follow('[data-theme-toggle]');
