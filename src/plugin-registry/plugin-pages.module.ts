import { Module } from '@nestjs/common';

import { PluginListPages } from './plugin.pages.js';

/** The feature's pages. Separate from its other parts, which work without requests. */
@Module({ controllers: [PluginListPages] })
export class PluginPagesModule {}
