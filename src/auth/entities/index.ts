export * from './administrator.entity.js';
export * from './captcha.entity.js';
export * from './failed-sign-in.entity.js';
export * from './known-device.entity.js';
export * from './rate-limit.entity.js';
export * from './session.entity.js';
