import { Module } from '@nestjs/common';

import { AgentPages } from './agent.pages.js';

/** The feature's pages. Apart from its other parts, which work without any request. */
@Module({ controllers: [AgentPages] })
export class AgentsPagesModule {}
