import './texts.js';

export { EmptyingPages } from './emptying.pages.js';
export { MovePages } from './move.pages.js';
export { MovesModule } from './moves.module.js';
