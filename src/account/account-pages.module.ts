import { Module } from '@nestjs/common';

import { SiteBackupsModule } from '../hosting/index.js';

import { AccountModule } from './account.module.js';
import { ActivityPages } from './activity.pages.js';
import { HostPage } from './host.pages.js';
import { LimitPages } from './limit.pages.js';
import { LoginPages } from './login.pages.js';
import { PasswordResetPages } from './password-reset.pages.js';
import { SecurityPages } from './security.pages.js';

/** The feature's pages; separate from its other parts, which work without requests. */
@Module({
  imports: [AccountModule, SiteBackupsModule],
  controllers: [ActivityPages, HostPage, LimitPages, LoginPages, PasswordResetPages, SecurityPages],
})
export class AccountPagesModule {}
