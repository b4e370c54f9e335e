export { HostOwnership } from './host-ownership.js';
export { OwnersModule } from './owners.module.js';
