import { Module, type OnModuleInit } from '@nestjs/common';

import { LoginService, UserDirectory } from '../auth/index.js';
import { HostUserDirectory } from '../hosting/index.js';
import { PaymentModule } from '../payment/index.js';
import { SiteModule } from '../site/index.js';

import { AccountOperations } from './account.operations.js';
import { DefaultPasswordBanner } from './default-password-banner.js';
import { FailedSignInNotice } from './failed-sign-in-notice.js';
import { LogDeletionOperations } from './log-deletion.operations.js';
import { LogOperations } from './log.operations.js';
import { OneClick } from './one-click.js';
import { PausedHostBanner } from './paused-host-banner.js';
import { SessionOperations } from './session.operations.js';
import { SignIn } from './sign-in.js';
import { SignInOperations } from './sign-in.operations.js';

/** Operations about signing in and one's own account; tells the sign-in that its users are hosting accounts. */
@Module({
  imports: [PaymentModule, SiteModule],
  providers: [
    { provide: UserDirectory, useExisting: HostUserDirectory },
    SignIn,
    OneClick,
    SignInOperations,
    SessionOperations,
    AccountOperations,
    LogOperations,
    LogDeletionOperations,
    DefaultPasswordBanner,
    FailedSignInNotice,
    PausedHostBanner,
  ],
  exports: [OneClick, FailedSignInNotice],
})
export class AccountModule implements OnModuleInit {
  constructor(
    private readonly logins: LoginService,
    private readonly directory: UserDirectory,
  ) {}

  onModuleInit(): void {
    this.logins.useDirectory(this.directory);
  }
}
