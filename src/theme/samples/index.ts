export { ATTACK, hostile } from './hostile.js';
export { SAMPLE_VIEWS } from './sample-views.js';
