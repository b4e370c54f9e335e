import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';

import { Controller, Get, NotFoundException, Res } from '@nestjs/common';

import { PACKAGE_ROOT } from '../../common/index.js';
import { Limited, sendWhole } from '../../http/index.js';

/** Build output for servers. */
const FOLDER = join(PACKAGE_ROOT, 'dist/agent');

/** Serves the files an agent installation downloads; they contain no secrets. */
@Limited('public')
@Controller()
export class AgentFilesController {
  /** The agent's bundled program. */
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
