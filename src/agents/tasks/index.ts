export { TaskList } from './task-list.js';
export { type ClaimedTask, TaskQueue, type TaskState } from './task-queue.js';
