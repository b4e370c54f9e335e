import { Module } from '@nestjs/common';

import { NodeAuthenticator, Nonces } from './access/index.js';
import { AgentList, AgentsService } from './registry/index.js';
import { Heartbeats, NodeApi, TaskReports } from './api/index.js';
import { AgentLoads } from './agent-loads.js';
import { AgentRetention } from './agent-retention.js';
import { AgentServers } from './agent-servers.js';
import { AgentOperations, AllowListOperations, MatchOperations, QuarantineOperations, ScanOperations } from './operations/index.js';
import {
  AllowList,
  Quarantine,
  QuarantineEnds,
  QuarantineList,
  QuarantineSweep,
  ScanConsequences,
  ScanDays,
  ScanHosts,
  ScanIntake,
  ScanList,
  ScanSettings,
  ScanStarter,
  ScanStore,
  MatchDeeds,
} from './scans/index.js';
import { TaskList, TaskQueue } from './tasks/index.js';

/** Agents of hosting nodes: their API, their tasks, what their scans find, and the administrators' operations on all that. */
@Module({
  providers: [
    Nonces,
    NodeAuthenticator,
    Heartbeats,
    NodeApi,
    TaskQueue,
    TaskReports,
    TaskList,
    AllowList,
    ScanHosts,
    ScanIntake,
    ScanDays,
    ScanStore,
    ScanConsequences,
    ScanList,
    ScanSettings,
    ScanStarter,
    AgentsService,
    AgentList,
    AgentRetention,
    AgentServers,
    AgentLoads,
    AgentOperations,
    ScanOperations,
    AllowListOperations,
    Quarantine,
    QuarantineEnds,
    QuarantineList,
    QuarantineSweep,
    QuarantineOperations,
    MatchDeeds,
    MatchOperations,
  ],
  exports: [NodeApi, TaskQueue, ScanDays, QuarantineList],
})
export class AgentsModule {}
