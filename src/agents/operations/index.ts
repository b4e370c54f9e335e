export { AgentOperations } from './agent.operations.js';
export { ScanOperations } from './scan.operations.js';
