import { Module } from '@nestjs/common';

import { AccountModule } from './account.module.js';
import { ActivityPages } from './activity.pages.js';
import { LoginPages } from './login.pages.js';

/** The feature's pages. Apart from its other parts, which work without any request. */
@Module({ imports: [AccountModule], controllers: [ActivityPages, LoginPages] })
export class AccountPagesModule {}
