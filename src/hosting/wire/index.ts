export { callingKey, fieldsOf, hostRow, NEVER } from './host-row.js';
export { nodeRow } from './node-row.js';
export { panelData } from './panel-data.js';
