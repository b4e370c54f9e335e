import { Module } from '@nestjs/common';

import { ApiKeyOperations } from './api-key.operations.js';
import { SiteOperations } from './site.operations.js';
import { SiteSettings } from './site-settings.js';

/** The site's configuration and the operations that change it. */
@Module({ providers: [SiteSettings, SiteOperations, ApiKeyOperations], exports: [SiteSettings] })
export class SiteModule {}
