import { Global, Module } from '@nestjs/common';
import { APP_FILTER, DiscoveryModule } from '@nestjs/core';

import { Admission } from './admission.js';
import { AuditLog } from './audit-log.js';
import { AjaxController } from './http/ajax.controller.js';
import { CallFactory } from './call/call-factory.js';
import { AjaxEntry } from './http/ajax-entry.js';
import { RefusalFilter } from './http/guards.js';
import { Identities } from './call/identities.js';
import { DeadLetterOperations } from './dead-letter.operations.js';
import { OperationDiscovery } from './operation-discovery.js';
import { OperationsDocumentController } from './operations-document.controller.js';
import { OutsideLog } from './outside-log.js';
import { OperationRegistry } from './operation-registry.js';
import { OperationTimes } from './operation-times.js';
import { Changeovers } from './changeovers.js';
import { OperationPipeline } from './pipeline.js';
import { Permissions } from './permissions.js';
import { PresentPassword } from './present-password.js';
import { HomeRegistry } from './routes/home-registry.js';
import { RouteDispatcher, Routes } from './routes/route-dispatcher.js';
import { SecondFactorGate } from './second-factor-gate.js';
import { SecondProof } from './second-proof.js';
import { ServerScopes } from './server-scopes.js';

const services = [
  Admission,
  AuditLog,
  CallFactory,
  Changeovers,
  AjaxEntry,
  HomeRegistry,
  Identities,
  OperationPipeline,
  OperationRegistry,
  OperationTimes,
  OutsideLog,
  Permissions,
  PresentPassword,
  RouteDispatcher,
  Routes,
  SecondFactorGate,
  SecondProof,
  ServerScopes,
];

/**
 * Registries of everything callable from outside, and the pipeline that runs it. {@link SiteLocale} and {@link UserPanelSwitch} come from a
 * global module.
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [AjaxController, OperationsDocumentController],
  providers: [...services, DeadLetterOperations, OperationDiscovery, { provide: APP_FILTER, useClass: RefusalFilter }],
  exports: services,
})
export class OperationsModule {}
