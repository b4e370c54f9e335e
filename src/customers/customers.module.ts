import { Global, Module } from '@nestjs/common';

import { AccountPagesAddress } from './account-pages-address.js';
import { AskedCaptcha } from './asked-captcha.js';
import { CustomerAccounts } from './customer-accounts.js';
import { CustomerCodes } from './customer-codes.js';
import { CustomerEntry } from './customer-entry.js';
import { CustomerFactor } from './customer-factor.js';
import { CustomerList } from './customer-list.js';
import { CustomerLinks } from './customer-links.js';
import { CustomerLog } from './customer-log.js';
import { CustomerMails } from './customer-mails.js';
import { CustomerRecovery } from './customer-recovery.js';
import { CustomerRegistration } from './customer-registration.js';
import { CustomerSelf } from './customer-self.js';
import { CustomerSessions } from './customer-sessions.js';
import { CustomerSignIn } from './customer-sign-in.js';
import { CustomerOperations } from './customer.operations.js';
import { CustomerPages } from './customer.pages.js';
import { Customers } from './customers.js';
import { HostOwners } from './host-owners.js';

const offered = [
  AccountPagesAddress,
  AskedCaptcha,
  CustomerAccounts,
  CustomerEntry,
  CustomerFactor,
  CustomerLinks,
  CustomerRecovery,
  CustomerRegistration,
  CustomerSelf,
  CustomerSessions,
  CustomerSignIn,
  Customers,
  HostOwners,
];

/** Customers: accounts, sign-in, and ownership of hosts. */
@Global()
@Module({
  controllers: [CustomerPages],
  providers: [...offered, CustomerCodes, CustomerList, CustomerLog, CustomerMails, CustomerOperations],
  exports: offered,
})
export class CustomersModule {}
