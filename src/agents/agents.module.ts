import { Module } from '@nestjs/common';

import { NodeAuthenticator, Nonces } from './access/index.js';
import { AgentList, AgentsService, Enrollment } from './registry/index.js';
import { ActionTasks, AgentCalls, BodyEnds, BodyRows, ServerAgents } from './actions/index.js';
import { Heartbeats, NodeApi, NodeBodies, TaskPulls, TaskReports } from './api/index.js';
import { AgentBackups, AgentDriver, AgentFiles, AgentPrograms, AgentServing, AgentStatistics, ServerCalls } from './driver/index.js';
import { AgentLoads } from './agent-loads.js';
import { AgentRetention } from './agent-retention.js';
import { AgentServers } from './agent-servers.js';
import { AgentLogs } from './logs/index.js';
import {
  AgentLogOperations,
  AgentOperations,
  AgentTaskOperations,
  AllowListOperations,
  InstallOperations,
  MatchOperations,
  QuarantineOperations,
  ScanOperations,
  ScanSettingsOperations,
} from './operations/index.js';
import {
  AllowList,
  FileQuarantine,
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
  MatchActions,
} from './scans/index.js';
import { TaskActions } from './task-actions/index.js';
import { TaskList, TaskQueue, TaskSignals } from './tasks/index.js';

/** Agents on hosting servers: their API, tasks, scan results and the administrators' operations. */
@Module({
  providers: [
    Nonces,
    NodeAuthenticator,
    Heartbeats,
    NodeApi,
    NodeBodies,
    TaskPulls,
    TaskQueue,
    TaskSignals,
    ActionTasks,
    AgentCalls,
    BodyEnds,
    BodyRows,
    ServerAgents,
    Enrollment,
    ServerCalls,
    AgentFiles,
    AgentBackups,
    AgentStatistics,
    AgentServing,
    AgentPrograms,
    AgentDriver,
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
    AgentTaskOperations,
    TaskActions,
    AgentLogs,
    AgentLogOperations,
    InstallOperations,
    ScanOperations,
    ScanSettingsOperations,
    AllowListOperations,
    FileQuarantine,
    QuarantineEnds,
    QuarantineList,
    QuarantineSweep,
    QuarantineOperations,
    MatchActions,
    MatchOperations,
  ],
  exports: [NodeApi, NodeBodies, TaskQueue, TaskSignals, AgentCalls, ScanDays, QuarantineList],
})
export class AgentsModule {}
