import { Module } from '@nestjs/common';

import { AccountApi } from './account-api.js';
import { AccountForms } from './account-forms.js';
import { AccountHome } from './account-home.js';
import { AccountLinks } from './account-links.js';
import { AccountSecurity } from './account-security.js';
import { Layout } from './layout.js';
import { Options } from './options.js';

/** The account pages of customers, under /account. */
@Module({ providers: [Options, Layout, AccountHome, AccountForms, AccountLinks, AccountSecurity, AccountApi] })
export default class AccountsModule {}
