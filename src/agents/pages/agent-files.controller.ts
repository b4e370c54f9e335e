import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';

import { Controller, Get, NotFoundException, Res } from '@nestjs/common';

import { PACKAGE_ROOT } from '../../common/index.js';
import { Limited, sendWhole } from '../../http/index.js';

/** Where the build puts what servers get. */
const FOLDER = join(PACKAGE_ROOT, 'dist/agent');

/** What the installation of an agent fetches from the panel: no secrets are in it. */
@Limited('public')
@Controller()
export class AgentFilesController {
  /** The program, one file. */
  @Get('api/node-agent.mjs')
  program(@Res() res: ServerResponse): Promise<void> {
    return this.send(res, 'svc-agent.mjs', 'text/javascript; charset=utf-8');
  }

  /** The script the installation command runs. */
  @Get('api/agent-install.sh')
  script(@Res() res: ServerResponse): Promise<void> {
    return this.send(res, 'server-install.sh', 'text/x-shellscript; charset=utf-8');
  }

  private async send(res: ServerResponse, name: string, type: string): Promise<void> {
    const content = await readFile(join(FOLDER, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw new NotFoundException();
      throw error;
    });
    sendWhole(res, 200, { 'Content-Type': type, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' }, content);
  }
}
