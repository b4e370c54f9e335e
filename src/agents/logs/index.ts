export { AgentLogs, type LogFile } from './agent-logs.js';
