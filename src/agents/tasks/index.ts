export { type TaskLine, TaskList } from './task-list.js';
export { type ClaimedAgentTask, type TaskEnd, TaskQueue, type AgentTaskState } from './task-queue.js';
export { TaskSignals, type WatchedTask } from './task-signals.js';
export { translateProblem, translateTaskError } from './task-words.js';
