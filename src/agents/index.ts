export { sign, type SignedRequest, type SigningSecrets } from './access/index.js';
export { NodeApi } from './api/index.js';
export * from './entities/index.js';
export * from './agents.module.js';
export * from './node-api-error.js';
export * from './agent-error.js';
export { type ClaimedTask, TaskQueue } from './tasks/index.js';
export * from './wire/index.js';
export { AgentsPagesModule } from './pages/index.js';
