import { Injectable } from '@nestjs/common';

import type { DriverNode } from '../../driver/index.js';
import { PanelClient, requireDone, serverProblem } from '../client/index.js';
import { PanelDisk } from '../files/index.js';
import type { PanelSite } from '../sites/index.js';

const REWRITES = '/www/server/panel/vhost/rewrite';
const NGINX = '/www/server/nginx/sbin';

/** The file that the configuration of a site includes, and that the server panel itself keeps rewrite rules in. */
@Injectable()
export class RulesFile {
  constructor(
    private readonly client: PanelClient,
    private readonly disk: PanelDisk,
  ) {}

  /** What is in it; empty where there is none. */
  async read(node: DriverNode, site: PanelSite, signal: AbortSignal): Promise<string> {
    return (await this.disk.text(node, pathOf(site), signal)) ?? '';
  }

  /** @throws PanelProblem SERVER_SETTING where the server runs no nginx; `refused` with what nginx says of the text: the old one stays */
  async write(node: DriverNode, site: PanelSite, text: string, signal: AbortSignal): Promise<void> {
    if ((await this.disk.folder(node, NGINX, signal)) === null) throw serverProblem('SERVER_SETTING', { what: 'nginx' });
    const path = pathOf(site);
    if ((await this.disk.text(node, path, signal)) === null) await this.client.call(node, '/files?action=CreateFile', { path }, signal);
    // The panel tries the configuration, and puts the old one back where it would not load.
    requireDone(await this.client.call(node, '/files?action=SaveFileBody', { path, data: text, encoding: 'utf-8' }, signal));
  }
}

const pathOf = ({ name }: PanelSite): string => `${REWRITES}/${name}.conf`;
