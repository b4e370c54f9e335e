export { isRepeatable, TaskActions as TaskActions } from './task-actions.js';
