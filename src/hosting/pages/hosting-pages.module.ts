import { Module } from '@nestjs/common';

import { HostPages } from './host.pages.js';
import { ServerPages } from './server.pages.js';

/** The feature's pages. Apart from its other parts, which work without any request. */
@Module({ controllers: [HostPages, ServerPages] })
export class HostingPagesModule {}
