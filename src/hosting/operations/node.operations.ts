import { Injectable } from '@nestjs/common';

import { accessOf } from '../../auth/index.js';
import { AppError, localeOf } from '../../common/index.js';
import { checkVersion } from '../../http/index.js';
import { SuccessReply, Operation, ListReply, RawReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { DriverRegistry, type DriverSettings } from '../driver/index.js';
import { type HostingNode, NodeSystem, DEFAULT_WEIGHT } from '../entities/index.js';
import { NodeChanges, NodeServers, type NodeSettings, NodesService, ServerLeftovers } from '../nodes/index.js';
import { nodeForm, nodeName } from '../wire/index.js';

import { AddNodeInput, EditNodeInput, NodeIdInput, NodeListInput, NodeSwitchInput, RotateKeysInput } from './node-inputs.js';
import { NodeRows } from './node-rows.js';

/** Operations of administrators on nodes. Source: docs/panel-api.md "Nodes". */
@Injectable()
export class NodeOperations {
  constructor(
    private readonly nodes: NodesService,
    private readonly changes: NodeChanges,
    private readonly drivers: DriverRegistry,
    private readonly servers: NodeServers,
    private readonly leftovers: ServerLeftovers,
    private readonly rows: NodeRows,
  ) {}

  /** `dymy` is the key callers send as `svc_keye`; no other secret of a node is sent. With `mc`, not even that one. */
  @Operation({ side: 'admin', gn: 'listbt', auth: 'admin', input: NodeListInput, audit: null, rate: 'read', servers: 'listed' })
  async listNodes({ page, limit, sort, sortOrder, ss, mc }: NodeListInput, { admin, locale }: CallContext): Promise<ListReply> {
    const query = { page, limit, sort, sortOrder, text: ss, ids: accessOf(admin).servers };
    if (mc) {
      const { total, nodes } = await this.nodes.names(query);
      return new ListReply(total, nodes.map(nodeName));
    }
    const { total, nodes } = await this.nodes.page(query);
    const hosts = await this.nodes.hostCounts(nodes.map(({ code }) => code));
    return new ListReply(total, await this.rows.listed(nodes, hosts, localeOf(locale)));
  }

  /** An enabled server must answer before it is added; a disabled one may be added before it exists. */
  @Operation({ side: 'admin', gn: 'addbt', auth: 'admin', input: AddNodeInput, audit: 'hosting.audit_node_add', rate: 'write' })
  async add(input: AddNodeInput, ctx: CallContext): Promise<SuccessReply> {
    // Deployed clients support only one kind of server and do not name it: a server with a panel key.
    const driver = input.driver || (input.key ? 'baota' : '');
    const settings: NodeSettings = {
      address: input.ip || (this.drivers.find(driver)?.single ? '127.0.0.1' : ''),
      port: input.dk ?? 0,
      panelKey: input.key ?? '',
      system: input.btos ?? NodeSystem.Linux,
      dnsTarget: input.urlla ?? '',
      ftpAddress: input.ftpdz ?? '',
      secure: input.xieyi ?? false,
      enabled: input.kg ?? true,
      capacity: input.rl ?? 0,
      weight: input.qz ?? DEFAULT_WEIGHT,
      own: ownFields(input.cs),
    };
    const own = this.changes.ownOf(driver, settings.own);
    const learned = settings.enabled ? await this.servers.probeNew(driver, { code: input.bh, ...settings, settings: own }) : {};
    const node = await this.changes.add(input.bh, driver, { ...settings, own: { ...settings.own, ...learned } });
    const reported = this.servers.describeLearned(driver, learned, localeOf(ctx.locale));
    const added = { id: node.id, btdh: node.code, dymy: this.rows.keyOf(node).dymy };
    if (reported.length === 0) return new SuccessReply('hosting.added', added);
    return new SuccessReply('hosting.added_learned', { ...added, told: reported.join('\n') }, { what: reported.join(' · ') });
  }

  /** Responds in the format of older pages. The panel key is never sent, only whether one is set (`mysz`). */
  @Operation({
    side: 'admin',
    gn: 'btsj',
    auth: 'admin',
    input: NodeIdInput,
    audit: null,
    rate: 'read',
    servers: { of: 'server', field: 'id' },
  })
  async read({ id }: NodeIdInput): Promise<RawReply> {
    const node = await this.changes.existing(id);
    const { btip: ip, btdk: dk, qk: kg, btdh: bh, als: urlla, ptl: xieyi, ...row } = this.rows.of(node);
    return new RawReply({ ...row, code: '1', success: true, qk: 1, ip, dk, my: '', kg, bh, urlla, xieyi });
  }

  @Operation({
    side: 'admin',
    gn: 'xgjl',
    auth: 'admin',
    input: EditNodeInput,
    audit: 'hosting.audit_node_edit',
    rate: 'write',
    servers: { of: 'server', field: 'id' },
  })
  async change(input: EditNodeInput, ctx: CallContext): Promise<SuccessReply> {
    const settings: { [Name in keyof NodeSettings]: NodeSettings[Name] | undefined } = {
      address: input.ip,
      port: input.dk,
      panelKey: input.key,
      system: input.btos,
      dnsTarget: input.urlla,
      ftpAddress: input.ftpdz,
      secure: input.xieyi,
      enabled: input.kg,
      capacity: input.rl,
      weight: input.qz,
      own: ownFields(input.cs),
    };
    let isSwitchedOn = false;
    const node = await this.changes.change(input.id, settings, (present) => {
      checkVersion(input.row_version, nodeForm(present));
      isSwitchedOn = !present.enabled && input.kg === true;
    });
    return this.changed(node, 'hosting.changed', isSwitchedOn, ctx);
  }

  /**
   * Enables or disables a server for new hosts; existing ones are not affected. Values the server reports are stored as when it is added.
   */
  @Operation({
    side: 'admin',
    gn: 'btkg',
    auth: 'admin',
    input: NodeSwitchInput,
    audit: 'hosting.audit_node_switch',
    rate: 'write',
    servers: { of: 'server', field: 'id' },
  })
  async switch({ id, kg }: NodeSwitchInput, ctx: CallContext): Promise<SuccessReply> {
    let isSwitchedOn = false;
    const node = await this.changes.change(id, { enabled: kg }, ({ enabled }) => (isSwitchedOn = kg && !enabled));
    return this.changed(node, kg ? 'hosting.node_on' : 'hosting.node_off', isSwitchedOn, ctx);
  }

  /** Reports the change of a server, and the stored values it reported when it was enabled, or why it reported none. */
  private async changed(node: HostingNode, text: string, isSwitchedOn: boolean, ctx: CallContext): Promise<SuccessReply> {
    const params = { btdh: node.code, state: { key: text } };
    let learned: DriverSettings = {};
    try {
      if (isSwitchedOn) learned = await this.servers.learn(node);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return new SuccessReply('hosting.node_on_unlearned', this.rows.of(node), { ...params, reason: error.told });
    }
    const reported = this.servers.describeLearned(node.driver, learned, localeOf(ctx.locale));
    const known = reported.length === 0 ? null : await this.changes.storeLearned(node, learned);
    if (!known) return new SuccessReply(text, this.rows.of(node), params);
    return new SuccessReply(
      'hosting.node_on_learned',
      { ...this.rows.of(known), told: reported.join('\n') },
      { ...params, what: reported.join(' · ') },
    );
  }

  /** Only a node without hosts can be removed, because their sites would keep running unmanaged. */
  @Operation({
    side: 'admin',
    gn: 'btsc',
    auth: 'admin',
    input: NodeIdInput,
    audit: 'hosting.audit_node_delete',
    rate: 'write',
    servers: { of: 'server', field: 'id' },
    secondProof: true,
  })
  async remove({ id }: NodeIdInput): Promise<SuccessReply> {
    await this.changes.checkUnused(id);
    const left = await this.leftovers.clear(await this.changes.existing(id));
    const node = await this.changes.remove(id);
    return new SuccessReply(left > 0 ? 'hosting.node_deleted_left' : 'hosting.deleted', { id, left }, { btdh: node.code, n: left });
  }

  /** Returns the calling key, for use in a shop module. Logged, unlike a list. */
  @Operation({
    side: 'admin',
    gn: 'btmyck',
    auth: 'admin',
    input: NodeIdInput,
    audit: 'hosting.audit_node_key_shown',
    rate: 'read',
    servers: { of: 'server', field: 'id' },
    secondProof: true,
  })
  async showKey({ id }: NodeIdInput): Promise<SuccessReply> {
    const node = await this.changes.existing(id);
    return new SuccessReply('hosting.key_shown', { id, bh: node.code, ...this.rows.keyOf(node) }, { btdh: node.code });
  }

  @Operation({
    side: 'admin',
    gn: 'btmygx',
    also: ['btmycz'],
    auth: 'admin',
    input: RotateKeysInput,
    audit: 'hosting.audit_node_keys',
    rate: 'write',
    servers: { of: 'server', field: 'id' },
    secondProof: true,
  })
  async rotateKeys({ id, xs }: RotateKeysInput): Promise<SuccessReply> {
    const node = await this.changes.rotateKeys(id, xs);
    const key = this.rows.keyOf(node);
    const until = key.jmsj;
    const extras = { id, bh: node.code, ...key };
    return new SuccessReply(until ? 'hosting.keys_rotated' : 'hosting.keys_replaced', extras, { btdh: node.code, until: until || '-' });
  }

  @Operation({
    side: 'admin',
    gn: 'btmyjs',
    auth: 'admin',
    input: NodeIdInput,
    audit: 'hosting.audit_node_overlap',
    rate: 'write',
    servers: { of: 'server', field: 'id' },
  })
  async endOverlap({ id }: NodeIdInput): Promise<SuccessReply> {
    const node = await this.changes.endOverlap(id);
    return new SuccessReply('hosting.overlap_ended', { id }, { btdh: node.code });
  }
}

/** Converts the values of a kind's fields to strings. */
function ownFields(given: Record<string, unknown>): DriverSettings {
  const textOf = (value: unknown): string => (['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '');
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, textOf(value)]));
}
