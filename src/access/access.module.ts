import { Module } from '@nestjs/common';

import { AdministratorOperations } from './administrator.operations.js';
import { AdministratorPages } from './administrator.pages.js';
import { ApiKeyListOperations } from './api-key.operations.js';
import { ApiKeyPages } from './api-key.pages.js';
import { MyAccessPages } from './my-access.pages.js';
import { OperationWords } from './operation-words.js';
import { PermissionWords } from './permission-words.js';
import { RoleOperations } from './role.operations.js';
import { RolePages } from './role.pages.js';
import { ServersOfRoles } from './servers-of-roles.js';

/** Administrators, roles, permissions and API keys of the admin side. */
@Module({
  providers: [AdministratorOperations, ApiKeyListOperations, OperationWords, PermissionWords, RoleOperations, ServersOfRoles],
  controllers: [AdministratorPages, ApiKeyPages, MyAccessPages, RolePages],
  exports: [OperationWords],
})
export class AccessModule {}
