export * from './deploy-program.entity.js';
export * from './hosting-account.entity.js';
export * from './hosting-node.entity.js';
export * from './idle-host.entity.js';
export * from './login-link.entity.js';
export * from './sale-domain.entity.js';
export * from './site-domain.entity.js';
export * from './site-traffic.entity.js';
