export { callingKey, fieldsOf, HOST_ROW_PROPERTIES, holdForm, hostForm, hostRow, NEVER, type ListedAccount } from './host-row.js';
export { nodeForm, nodeName, nodeRow } from './node-row.js';
export { panelData, type ServedSite } from './panel-data.js';
