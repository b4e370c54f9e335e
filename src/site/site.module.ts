import { Module } from '@nestjs/common';

import { ApiKeyOperations } from './api-key.operations.js';
import { SiteOperations } from './site.operations.js';
import { SiteLogos } from './site-logos.js';
import { SiteSettings } from './site-settings.js';

/** The site's configuration and the operations that change it. */
@Module({ providers: [SiteSettings, SiteLogos, SiteOperations, ApiKeyOperations], exports: [SiteSettings, SiteLogos] })
export class SiteModule {}
