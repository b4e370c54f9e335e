export { isRepeatable, TaskActions } from './task-actions.js';
