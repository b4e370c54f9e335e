import './texts.js';

export { UpdateCheck } from './update-check.js';
export { UpdateCheckController } from './update-check.controller.js';
