import { Module } from '@nestjs/common';

import { ExpiryModule } from '../hosting/index.js';
import { PaymentModule } from '../payment/index.js';
import { RenewalModule } from '../renewal/index.js';

import { AccountOperations } from './account.operations.js';
import { OwnDatabase } from './own-database.js';
import { OwnPasswordOperations } from './own-password.operations.js';
import { DefaultPasswordBanner } from './default-password-banner.js';
import { FailedSignInNotice } from './failed-sign-in-notice.js';
import { LimitOperations } from './limit.operations.js';
import { LogDeletionOperations } from './log-deletion.operations.js';
import { LogOperations } from './log.operations.js';
import { OneClick } from './one-click.js';
import { PausedHostBanner } from './paused-host-banner.js';
import { HostHistoryOperations } from './host-history.operations.js';
import { HostSecondFactorOperations } from './host-second-factor.operations.js';
import { PasswordReset } from './password-reset.js';
import { PasswordResetOperations } from './password-reset.operations.js';
import { ProfileOperations } from './profile.operations.js';
import { ResetLinks } from './reset-links.js';
import { ResetMails } from './reset-mails.js';
import { SecondFactorOperations } from './second-factor.operations.js';
import { SessionOperations } from './session.operations.js';
import { SignIn } from './sign-in.js';
import { SignInOperations } from './sign-in.operations.js';

/** Operations for sign-in and the caller's own account. */
@Module({
  imports: [ExpiryModule, PaymentModule, RenewalModule],
  providers: [
    SignIn,
    OneClick,
    SignInOperations,
    SessionOperations,
    HostHistoryOperations,
    HostSecondFactorOperations,
    SecondFactorOperations,
    AccountOperations,
    OwnDatabase,
    OwnPasswordOperations,
    ResetLinks,
    ResetMails,
    PasswordReset,
    PasswordResetOperations,
    LimitOperations,
    ProfileOperations,
    LogOperations,
    LogDeletionOperations,
    DefaultPasswordBanner,
    FailedSignInNotice,
    PausedHostBanner,
  ],
  exports: [OneClick, FailedSignInNotice, ResetLinks],
})
export class AccountModule {}
