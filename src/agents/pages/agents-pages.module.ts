import { Module } from '@nestjs/common';

import { AgentsModule } from '../agents.module.js';

import { AgentFilesController } from './agent-files.controller.js';
import { AgentLogPages } from './agent-log.pages.js';
import { AgentTaskPages } from './agent-task.pages.js';
import { AgentPages } from './agent.pages.js';
import { QuarantinePages } from './quarantine.pages.js';

/** The feature's pages, separate from the rest, which works without HTTP requests. */
@Module({ imports: [AgentsModule], controllers: [AgentFilesController, AgentPages, AgentTaskPages, AgentLogPages, QuarantinePages] })
export class AgentsPagesModule {}
