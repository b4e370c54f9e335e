export { isRepeatable, TaskDeeds } from './task-deeds.js';
