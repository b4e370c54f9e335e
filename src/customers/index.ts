export { CustomerSessions } from './customer-sessions.js';
export { Customers } from './customers.js';
export { CustomersModule } from './customers.module.js';
export { Customer } from './entities/index.js';
export { CustomerError, type CustomerErrorCode } from './errors.js';
export { HostOwners } from './host-owners.js';
