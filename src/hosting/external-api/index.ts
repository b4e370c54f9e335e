export { ApiCallers } from './api-callers.js';
export { ExternalApi, MIN_CLIENT_VERSION } from './external-api.js';
export type { ExternalReply } from './external-replies.js';
export { KeyAttemptLimiter } from './key-attempt-limiter.js';
export { HostCommands } from './host-commands.js';
