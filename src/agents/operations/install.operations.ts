import { Injectable } from '@nestjs/common';

import { legacyTime } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Operation, SuccessReply } from '../../operations/index.js';
import { Enrollment } from '../registry/index.js';

import { InstallAgentInput } from './node-inputs.js';

/** Installation of agents on servers. Source: docs/panel-api.md "Agents". */
@Injectable()
export class InstallOperations {
  constructor(
    private readonly enrollment: Enrollment,
    private readonly config: AppConfig,
  ) {}

  /**
   * Returns the installation command of a server's agent, valid once and for 15 minutes. @throws AgentError SERVER_UNKNOWN, INSTALL_ADDRESS
   */
  @Operation({
    side: 'admin',
    gn: 'nodeaz',
    auth: 'admin',
    input: InstallAgentInput,
    audit: 'node.audit_install',
    rate: 'write',
    numericCode: true,
    servers: { of: 'server', field: 'id' },
    secondProof: true,
  })
  async install({ id, adminer }: InstallAgentInput): Promise<SuccessReply> {
    const { command, expiresAt } = await this.enrollment.command(id, adminer);
    return new SuccessReply('node.install_command', { command, expires: legacyTime(expiresAt, this.config.timezone) });
  }
}
