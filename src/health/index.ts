import './texts.js';

export * from './checks/index.js';
export { HealthPagesModule } from './health-pages.module.js';
