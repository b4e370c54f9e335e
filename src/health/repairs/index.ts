export { FileRepair } from './file-repair.js';
export { RepairOperations } from './repair.operations.js';
export { RepairPages } from './repair.pages.js';
export { Repairs } from './repairs.js';
