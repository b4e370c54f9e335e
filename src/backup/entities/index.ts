export * from './backup.entity.js';
export * from './backup-setting.entity.js';
