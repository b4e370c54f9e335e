import { Module } from '@nestjs/common';

import { PluginListPages } from './plugin.pages.js';

/** The feature's pages. Apart from its other parts, which work without any request. */
@Module({ controllers: [PluginListPages] })
export class PluginPagesModule {}
