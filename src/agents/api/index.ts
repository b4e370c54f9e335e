export { Heartbeats } from './heartbeats.js';
export { NodeApi } from './node-api.js';
export { TaskReports } from './task-reports.js';
