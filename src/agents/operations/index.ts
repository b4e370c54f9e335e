export { AgentLogOperations } from './agent-log.operations.js';
export { AgentOperations } from './agent.operations.js';
export { AgentTaskOperations } from './agent-task.operations.js';
export { AllowListOperations } from './allow-list.operations.js';
export { InstallOperations } from './install.operations.js';
export { MatchOperations } from './match.operations.js';
export { ScanOperations } from './scan.operations.js';
export { ScanSettingsOperations } from './scan-settings.operations.js';
export * from './quarantine.operations.js';
