import './texts.js';

export { AccessModule } from './access.module.js';
