export { ActionTasks } from './action-tasks.js';
export { AgentCalls, type ServerCall } from './agent-calls.js';
export { BodyEnds, bodyOf } from './body-ends.js';
export { BodyRows } from './body-rows.js';
export { ServerAgents } from './server-agents.js';
