export { type TaskLine, TaskList } from './task-list.js';
export { type ClaimedTask, type TaskEnd, TaskQueue, type TaskState } from './task-queue.js';
export { TaskSignals, type WatchedTask } from './task-signals.js';
export { translateProblem, translateTaskError } from './task-words.js';
