import { AdminHostOperations } from './admin-host.operations.js';
import { HostDeleteOperations } from './host-delete.operations.js';
import { HostEdit } from './host-edit.js';
import { HostEditOperations } from './host-edit.operations.js';
import { HostLifeOperations } from './host-life.operations.js';
import { HostList } from './host-list.js';
import { HostRows } from './host-rows.js';
import { NodeRows } from './node-rows.js';
import { NodeServerOperations } from './node-server.operations.js';
import { NodeOperations } from './node.operations.js';
import { PanelDataOperations } from './panel-data.operations.js';
import { ServerGroupRows } from './server-group-rows.js';
import { ServerGroupOperations } from './server-group.operations.js';
import { UserHostOperations } from './user-host.operations.js';

/** Operations on hosts and servers, and the rows of their responses. */
export const HOST_OPERATION_PROVIDERS = [
  HostList,
  HostRows,
  HostEdit,
  AdminHostOperations,
  HostEditOperations,
  HostLifeOperations,
  HostDeleteOperations,
  PanelDataOperations,
  UserHostOperations,
  NodeOperations,
  NodeRows,
  NodeServerOperations,
  ServerGroupOperations,
  ServerGroupRows,
];
