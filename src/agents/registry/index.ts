export { type AgentAddress, agentConfig, DEFAULT_INTERVAL_SECONDS, MIN_INTERVAL_SECONDS } from './agent-config.js';
export { AgentList } from './agent-list.js';
export { AgentsService } from './agents.service.js';
export { Enrollment } from './enrollment.js';
