export * from './announcement.entity.js';
export * from './mail-bounce.entity.js';
export * from './notice-channel.entity.js';
export * from './notice-delivery.entity.js';
export * from './notice-preference.entity.js';
export * from './notice-template.entity.js';
export * from './notice.entity.js';
