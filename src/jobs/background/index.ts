import './texts.js';

export { BackgroundQueue, TASK_STATES, type TaskPage, type TaskProgress, type TaskState, type TaskView } from './background-queue.js';
export { BackgroundTask, type TaskHandler } from './background-task.js';
export { DatabaseQueue } from './database-queue.js';
export { RedisQueue } from './redis/redis-queue.js';
export { Task } from './task.entity.js';
export { tellFailure } from './task-failure.js';
export { TaskDiscovery } from './task-discovery.js';
export { percentOf } from './task-percent.js';
export { TaskRecords } from './task-records.js';
export { TaskRegistry } from './task-registry.js';
export { TASK_SETTINGS } from './task-settings.js';
export { taskOfPlugin, taskTitle } from './task-title.js';
export { FinalFailure, type TaskTurn } from './task-turn.js';
export { TaskWorker } from './task-worker.js';
