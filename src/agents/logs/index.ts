export { AgentLogs, type LogFile, type LogPart, type LogQuery } from './agent-logs.js';
