export * from './credit-check.entity.js';
export * from './credit-entry.entity.js';
export * from './credit-transfer.entity.js';
export * from './credit.entity.js';
export * from './code-batch.entity.js';
export * from './redeem-code.entity.js';
