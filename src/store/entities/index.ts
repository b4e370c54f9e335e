export * from './store-download.entity.js';
export * from './store-item.entity.js';
export * from './store-moderation.entity.js';
export * from './store-rating.entity.js';
export * from './store-session.entity.js';
export * from './store-signing-key.entity.js';
export * from './store-user.entity.js';
export * from './store-version.entity.js';
