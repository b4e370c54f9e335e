export { sign, type SignedRequest, type SigningSecrets } from './access/signature.js';
export { NodeApi } from './api/node-api.js';
export * from './entities/index.js';
export * from './node.module.js';
export * from './node-api-error.js';
export * from './node-error.js';
export { TaskQueue, type ClaimedTask } from './tasks/task-queue.js';
export * from './wire/index.js';
