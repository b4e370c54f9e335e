import './texts.js';

export { AccountPagesAddress } from './account-pages-address.js';
export { AskedCaptcha } from './asked-captcha.js';
export { CustomerAccounts } from './customer-accounts.js';
export { CustomerEntry } from './customer-entry.js';
export { CustomerFactor } from './customer-factor.js';
export { CustomerRecovery } from './customer-recovery.js';
export { CustomerRegistration } from './customer-registration.js';
export { CustomerSelf } from './customer-self.js';
export { CustomerSessions } from './customer-sessions.js';
export { CustomerSignIn } from './customer-sign-in.js';
export { Customers, customerForm } from './customers.js';
export { CustomersModule } from './customers.module.js';
export { Customer } from './entities/index.js';
export { CustomerError } from './errors.js';
export { HostOwners } from './host-owners.js';
export { HOST_STATES, ORDER_STATES } from './row-states.js';
export { checkContact } from './rules.js';
