export * from './panel-answer.js';
export { type PanelFields, PanelClient, requireKey } from './panel-client.js';
export { PanelConnections, PIN_FIELD } from './panel-connections.js';
export * from './panel-problem.js';
export { signature } from './panel-signature.js';
