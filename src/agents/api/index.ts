export { Heartbeats } from './heartbeats.js';
export { NodeApi } from './node-api.js';
export { NodeBodies } from './node-bodies.js';
export { TaskPulls } from './task-pulls.js';
export { TaskReports } from './task-reports.js';
