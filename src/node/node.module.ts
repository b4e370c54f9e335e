import { Module } from '@nestjs/common';

import { SiteModule } from '../site/index.js';

import { NodeAuthenticator } from './access/node-authenticator.js';
import { Nonces } from './access/nonces.js';
import { AgentList } from './agents/agent-list.js';
import { AgentsService } from './agents/agents.service.js';
import { Heartbeats } from './api/heartbeats.js';
import { NodeApi } from './api/node-api.js';
import { NodeJobs } from './node-jobs.js';
import { AgentOperations } from './operations/agent.operations.js';
import { ScanOperations } from './operations/scan.operations.js';
import { ScanList } from './scans/scan-list.js';
import { ScanSettings } from './scans/scan-settings.js';
import { ScanStarter } from './scans/scan-starter.js';
import { ScanStore } from './scans/scan-store.js';
import { TaskList } from './tasks/task-list.js';
import { TaskQueue } from './tasks/task-queue.js';
import { TaskReports } from './tasks/task-reports.js';

/** Agents of hosting nodes: their API, their tasks, what their scans find, and the administrators' operations on all that. */
@Module({
  imports: [SiteModule],
  providers: [
    Nonces,
    NodeAuthenticator,
    Heartbeats,
    NodeApi,
    TaskQueue,
    TaskReports,
    TaskList,
    ScanStore,
    ScanList,
    ScanSettings,
    ScanStarter,
    AgentsService,
    AgentList,
    NodeJobs,
    AgentOperations,
    ScanOperations,
  ],
  exports: [NodeApi, TaskQueue],
})
export class NodeModule {}
