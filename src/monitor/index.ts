import './texts.js';

export * from './entities/index.js';
export { MonitorRunner } from './runs/monitor-runner.js';
export { MonitorModule } from './monitor.module.js';
