export * from './agent-node.entity.js';
export * from './forbidden-allow.entity.js';
export * from './forbidden-day.entity.js';
export * from './forbidden-match.entity.js';
export * from './forbidden-scan.entity.js';
export * from './node-nonce.entity.js';
export * from './node-task.entity.js';
export * from './quarantined-file.entity.js';
