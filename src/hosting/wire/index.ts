export { callingKey, fieldsOf, hostForm, hostRow, NEVER } from './host-row.js';
export { nodeForm, nodeRow } from './node-row.js';
export { panelData } from './panel-data.js';
