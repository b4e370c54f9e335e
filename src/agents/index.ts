import './texts.js';

export { type NodeConnection, sign, type SigningSecrets } from './access/index.js';
export { AgentCalls, bodyOf, type ServerCall } from './actions/index.js';
export { NodeApi, NodeBodies } from './api/index.js';
export * from './entities/index.js';
export * from './agents.module.js';
export * from './node-api-error.js';
export * from './agent-error.js';
export { TaskQueue, TaskSignals } from './tasks/index.js';
export * from './wire/index.js';
export { AgentsPagesModule } from './pages/index.js';
