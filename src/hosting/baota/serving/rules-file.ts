import { Injectable } from '@nestjs/common';

import type { DriverNode } from '../../driver/index.js';
import { PanelClient, requireDone, serverProblem } from '../client/index.js';
import { PanelDisk } from '../files/index.js';
import type { PanelSite } from '../sites/index.js';

const REWRITES = '/www/server/panel/vhost/rewrite';
const NGINX = '/www/server/nginx/sbin';

/** The file included by the configuration of a site, in which the server panel also keeps its own rewrite rules. */
@Injectable()
export class RulesFile {
  constructor(
    private readonly client: PanelClient,
    private readonly disk: PanelDisk,
  ) {}

  /** Returns its content; empty if it does not exist. */
  async read(node: DriverNode, site: PanelSite, signal: AbortSignal): Promise<string> {
    return (await this.disk.text(node, pathOf(site), signal)) ?? '';
  }

  /**
   * @throws PanelProblem SERVER_SETTING if the server runs no nginx; `refused` with nginx's message if it rejects the text: the old one
   *   stays
   */
  async write(node: DriverNode, site: PanelSite, text: string, signal: AbortSignal): Promise<void> {
    if ((await this.disk.folder(node, NGINX, signal)) === null) throw serverProblem('SERVER_SETTING', { what: 'nginx' });
    const path = pathOf(site);
    if ((await this.disk.text(node, path, signal)) === null) await this.client.call(node, '/files?action=CreateFile', { path }, signal);
    // The panel tests the configuration and restores the old file if it does not load.
    requireDone(await this.client.call(node, '/files?action=SaveFileBody', { path, data: text, encoding: 'utf-8' }, signal));
  }
}

const pathOf = ({ name }: PanelSite): string => `${REWRITES}/${name}.conf`;
