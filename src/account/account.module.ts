import { Module } from '@nestjs/common';

import { HostingModule } from '../hosting/index.js';

import { AccountOperations } from './account.operations.js';
import { LogOperations } from './log.operations.js';
import { SessionOperations } from './session.operations.js';
import { SignIn } from './sign-in.js';
import { SignInOperations } from './sign-in.operations.js';

/** Operations about signing in and one's own account. */
@Module({
  imports: [HostingModule],
  providers: [SignIn, SignInOperations, SessionOperations, AccountOperations, LogOperations],
})
export class AccountModule {}
