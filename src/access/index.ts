import './texts.js';

export { AccessModule } from './access.module.js';
export { OperationWords } from './operation-words.js';
