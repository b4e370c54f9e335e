export { IncomeDays, type NetDay } from './income-days.js';
export { OrderStatisticsOperations } from './order-statistics.operations.js';
export { OrderStatisticsPages } from './order-statistics.pages.js';
