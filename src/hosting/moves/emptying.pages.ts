import { Controller } from '@nestjs/common';

import { accessOf } from '../../auth/index.js';
import type { RequestContext } from '../../operations/index.js';
import { Page, PageMissing } from '../../web/index.js';
import { NodesService, ServerGroups } from '../nodes/index.js';

import { ServerEmptyings } from './server-emptying.js';

/** Page for emptying a server. */
@Controller()
export class EmptyingPages {
  constructor(
    private readonly nodes: NodesService,
    private readonly groups: ServerGroups,
    private readonly emptyings: ServerEmptyings,
  ) {}

  /** Shows the emptying of one server, which moves all its sites to other servers. */
  @Page({ side: 'admin', path: 'server-emptying', title: 'moves.menu.moves', needs: ['btqk'] })
  async emptying(call: RequestContext): Promise<object> {
    const { servers } = accessOf(call.admin);
    const nodes = await this.nodes.choices(servers);
    const node = nodes.find(({ id }) => id === Number(call.query.id));
    if (!node) throw new PageMissing();
    const state = await this.emptyings.ofServer(node.id);
    // An administrator limited to some servers must choose one of them.
    const isLimited = servers !== null;
    return {
      server: { id: node.id, code: node.code, enabled: node.enabled },
      targets: nodes.filter(({ code, enabled }) => code !== node.code && enabled).map(({ code }) => code),
      groups: isLimited ? [] : (await this.groups.list()).map(({ code, name }) => ({ code, name })),
      any: !isLimited,
      emptying: state && {
        ...{ id: state.row.id, zt: state.row.state, target: state.row.target, n: state.row.atOnce, by: state.row.by },
        ...{ left: state.left, done: state.done, failed: state.failed, running: state.running },
        total: state.done + state.failed + state.left,
      },
    };
  }
}
