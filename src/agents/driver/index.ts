export { AgentBackups } from './agent-backups.js';
export { AgentDriver } from './agent-driver.js';
export { AgentFiles } from './agent-files.js';
export { AgentPrograms } from './agent-programs.js';
export { AgentServing } from './agent-serving.js';
export { AgentStatistics } from './agent-statistics.js';
export { ServerCalls } from './server-calls.js';
