import { Injectable } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';

import { HOUR_MS, Clock } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { SiteSettings } from '../../site/index.js';
import { DriverNodes, DriverRegistry, type DriverSettings, type HostDriver, readDriverSettings } from '../driver/index.js';
import { HostingError } from '../hosting-errors.js';
import { BinnedSite, HostingAccount, HostingNode, type NodeSystem, SiteMove } from '../entities/index.js';

import { CallingKeys, hasOverlap } from './calling-keys.js';
import { NodeError } from './node-errors.js';

/** Settings of a node, as set by administrators. */
export interface NodeSettings {
  readonly address: string;
  readonly port: number;
  /** Secret; empty keeps the stored one. */
  readonly panelKey: string;
  readonly system: NodeSystem;
  readonly dnsTarget: string;
  readonly ftpAddress: string;
  readonly secure: boolean;
  readonly enabled: boolean;
  /** Maximum number of hosts; 0: unlimited. */
  readonly capacity: number;
  /** 1 to 1,000, see `ServerPlacement`. */
  readonly weight: number;
  /** Fields declared by its kind. A missing one, and an empty secret, stays unchanged. */
  readonly own: DriverSettings;
}

/** Connection settings: a change means that another server may be addressed. */
const REACHED_BY = ['address', 'port', 'secure', 'sealedPanelKey', 'driverSettings'] as const;

/** Adds, changes and removes nodes, and rotates their calling keys. */
@Injectable()
export class NodeChanges {
  constructor(
    private readonly database: Database,
    private readonly registry: DriverRegistry,
    private readonly clock: Clock,
    private readonly nodes: DriverNodes,
    private readonly callingKeys: CallingKeys,
    private readonly settings: SiteSettings,
  ) {}

  /** Returns the kinds of servers; `taken` if the only allowed server of a kind exists. */
  async kinds(): Promise<{ driver: HostDriver; taken: boolean }[]> {
    const taken = async (type: string): Promise<boolean> =>
      this.registry.find(type)?.single === true && (await this.rows.existsBy({ driver: type }));
    return Promise.all(this.registry.types().map(async (type) => ({ driver: this.registry.find(type)!, taken: await taken(type) })));
  }

  /**
   * Adds a server. The driver must be named and is never guessed, since a wrong guess would sell sites on the wrong machine.
   *
   * @param driver kind of the server, one of the registered drivers'
   * @throws NodeError DRIVER_NOT_NAMED and DRIVER_UNKNOWN naming the available drivers, DRIVER_SINGLE naming the existing server of a
   * single-server kind, NODE_EXISTS naming the node with this code, ignoring case, DRIVER_FIELDS naming the invalid fields
   */
  async add(code: string, driver: string, { own: given, panelKey, ...settings }: NodeSettings): Promise<HostingNode> {
    const kind = this.kindOf(driver);
    const own = this.ownOf(driver, given);
    const codeKey = code.toLowerCase();
    const sealed = { sealedPanelKey: this.nodes.sealKey(panelKey), driverSettings: this.nodes.seal(own) };
    const node = this.rows.create({
      ...settings,
      ...sealed,
      code,
      codeKey,
      driver,
      ...this.callingKeys.fresh(),
      createdAt: this.clock.now(),
    });
    try {
      await this.database.transaction(async () => {
        if (kind.single) await this.refuseSecond(driver);
        await this.rows.insert(node);
      });
      this.database.noteChange({ of: 'server', id: node.id, secret: secretsOf(kind) }, null, {
        code,
        driver,
        ...settings,
        panelKey,
        ...own,
      });
      return node;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      const taken = await this.rows.findOneBy({ codeKey });
      throw new NodeError('NODE_EXISTS', { code: taken?.code ?? code }, { bh: 'hosting.field_node_exists' });
    }
  }

  /**
   * Changes the given settings.
   *
   * @param check called with the locked node; rejects the change by throwing
   * @throws NodeError NODE_MISSING, DRIVER_FIELDS; HostingError DRIVER_MISSING for fields of a kind whose plugin is disabled
   */
  change(
    id: number,
    { panelKey, own, ...settings }: Partial<NodeSettings>,
    check: (present: HostingNode) => void = () => undefined,
  ): Promise<HostingNode> {
    const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
    return this.database.transaction(async () => {
      await this.database.lockRow('HostingNode', 'id', id);
      const present = await this.existing(id);
      check(present);
      const changed = own && Object.keys(own).length > 0 ? this.ownChange(present, own) : null;
      const key = panelKey ? { sealedPanelKey: this.nodes.sealKey(panelKey) } : {};
      const row = { ...given, ...key, ...(changed ? { driverSettings: this.nodes.seal(changed.values) } : {}) };
      if (Object.keys(row).length > 0) await this.rows.update({ id }, row);
      const subject = { of: 'server', id, secret: changed?.secret };
      const before = { ...present, panelKey: this.nodes.openKey(present.sealedPanelKey), ...changed?.present };
      this.database.noteChange(subject, before, { ...given, ...(panelKey ? { panelKey } : {}), ...changed?.values });
      return this.existing(id);
    });
  }

  /**
   * Stores field values that a server reported about itself.
   *
   * @param tested the server as it was addressed
   * @returns null if the connection settings were changed in the meantime, because another server may have reported the values
   * @throws as {@link change}
   */
  async storeLearned(tested: HostingNode, own: DriverSettings): Promise<HostingNode | null> {
    const other = new Error('the address of the server was changed to another server');
    try {
      return await this.change(tested.id, { own }, (present) => {
        if (REACHED_BY.some((field) => present[field] !== tested[field])) throw other;
      });
    } catch (error) {
      if (error === other) return null;
      throw error;
    }
  }

  /** Sets the PHP version of new sites. @throws NodeError NODE_MISSING */
  async setDefaultPhp(id: number, version: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.lockRow('HostingNode', 'id', id);
      const present = await this.existing(id);
      await this.rows.update({ id }, { defaultPhp: version });
      this.database.noteChange({ of: 'server', id }, present, { defaultPhp: version });
    });
  }

  /**
   * Removes a node without hosts. If a host is added at the same time, the removal fails.
   *
   * @throws NodeError NODE_MISSING, NODE_IN_USE with its number of hosts, NODE_KEEPS of deleted sites, NODE_MOVES of open moves
   */
  async remove(id: number): Promise<HostingNode> {
    const node = await this.existing(id);
    const deleted = await this.database
      .statement(
        `DELETE FROM {HostingNode} WHERE {HostingNode.id} = ? AND NOT EXISTS
         (SELECT 1 FROM {HostingAccount} WHERE {HostingAccount.nodeCode} = ?)
         AND NOT EXISTS (SELECT 1 FROM {BinnedSite} WHERE {BinnedSite.nodeCode} = ?)
         AND NOT EXISTS (SELECT 1 FROM {SiteMove} WHERE ({SiteMove.fromCode} = ? OR {SiteMove.toCode} = ? AND {SiteMove.busy} IS NOT NULL)
           AND {SiteMove.state} NOT IN ('done', 'failed'))`,
      )
      .run(id, node.code, node.code, node.code, node.code)
      // If a host was added after the check, its foreign key prevents the removal.
      .then(
        ({ affected }) => affected === 1,
        (error: unknown) => error,
      );
    if (deleted === true) {
      this.database.noteChange({ of: 'server', id, only: ['code', 'driver', 'address', 'port'] }, node, null);
      return node;
    }
    await this.checkUnused(id);
    throw deleted === false ? new NodeError('NODE_MISSING') : deleted;
  }

  /** @throws NodeError NODE_MISSING, NODE_IN_USE, NODE_KEEPS, NODE_MOVES as {@link remove} */
  async checkUnused(id: number): Promise<void> {
    const node = await this.existing(id);
    const n = await this.database.repository(HostingAccount).countBy({ nodeCode: node.code });
    if (n > 0) throw new NodeError('NODE_IN_USE', { code: node.code, n });
    const kept = await this.database.repository(BinnedSite).countBy({ nodeCode: node.code });
    if (kept > 0) throw new NodeError('NODE_KEEPS', { code: node.code, n: kept });
    const open = { state: Not(In(['done', 'failed'])) };
    const moves = await this.database.repository(SiteMove).countBy([
      { ...open, fromCode: node.code },
      { ...open, toCode: node.code, busy: Not(IsNull()) },
    ]);
    if (moves > 0) throw new NodeError('NODE_MOVES', { code: node.code, n: moves });
  }

  /**
   * Rotates the calling key of a node. The present key stays valid for `hours`; one from an earlier rotation becomes invalid.
   *
   * @throws NodeError NODE_MISSING, NODE_CHANGED if it was rotated concurrently
   */
  async rotateKeys(id: number, hours: number): Promise<HostingNode> {
    const before = await this.existing(id);
    const { openKey, signatureKey } = before;
    const overlap =
      hours > 0
        ? {
            previousOpenKey: openKey,
            previousSignatureKey: signatureKey,
            previousUntil: new Date(this.clock.now().getTime() + hours * HOUR_MS),
          }
        : NO_PREVIOUS;
    const values = { ...this.callingKeys.fresh(), ...overlap };
    const { affected } = await this.rows.update({ id, openKey, signatureKey }, values);
    if (affected === 0) throw new NodeError('NODE_CHANGED');
    this.database.noteChange({ of: 'server', id }, before, values);
    return { ...before, ...values };
  }

  /** Invalidates the previous calling key. @throws NodeError NODE_MISSING, NO_OVERLAP */
  async endOverlap(id: number): Promise<HostingNode> {
    const node = await this.existing(id);
    if (!hasOverlap(node, this.clock.now())) throw new NodeError('NO_OVERLAP', { code: node.code });
    await this.rows.update({ id }, NO_PREVIOUS);
    this.database.noteChange({ of: 'server', id }, node, NO_PREVIOUS);
    return this.existing(id);
  }

  /** @throws NodeError NODE_MISSING */
  async existing(id: number): Promise<HostingNode> {
    const node = await this.rows.findOneBy({ id });
    if (!node) throw new NodeError('NODE_MISSING');
    return node;
  }

  /**
   * Validates the values of the fields declared by a kind.
   *
   * @throws NodeError DRIVER_FIELDS naming each invalid field; nothing for an unknown kind
   */
  ownOf(driver: string, given: DriverSettings, present: DriverSettings = {}): DriverSettings {
    const { values, wrong } = readDriverSettings(this.registry.find(driver)?.fields ?? [], given, present);
    const fields = Object.entries(wrong).map(([key, text]) => [`cs[${key}]`, text] as const);
    if (fields.length > 0) throw new NodeError('DRIVER_FIELDS', {}, Object.fromEntries(fields));
    return values;
  }

  private ownChange(node: HostingNode, given: DriverSettings) {
    const kind = this.registry.find(node.driver);
    if (!kind) throw new HostingError('DRIVER_MISSING', { code: node.code, driver: node.driver });
    const present = this.nodes.open(node.driverSettings);
    return { present, values: this.ownOf(node.driver, given, present), secret: secretsOf(kind) };
  }

  private kindOf(driver: string): HostDriver {
    const drivers = this.registry.types().join(', ');
    if (driver === '') throw new NodeError('DRIVER_NOT_NAMED', { drivers }, { driver: 'hosting.field_driver_missing' });
    const kind = this.registry.find(driver);
    if (!kind) throw new NodeError('DRIVER_UNKNOWN', { driver, drivers }, { driver: 'hosting.field_driver' });
    return kind;
  }

  /** Serializes concurrent additions by locking the settings row. */
  private async refuseSecond(driver: string): Promise<void> {
    await this.settings.hold();
    const present = await this.rows.findOneBy({ driver });
    if (present) throw new NodeError('DRIVER_SINGLE', { code: present.code }, { driver: 'hosting.field_driver_single' });
  }

  private get rows() {
    return this.database.repository(HostingNode);
  }
}

/** Secret fields of a kind, which must not appear in the operation log. */
const secretsOf = ({ fields }: HostDriver): string[] => fields.filter(({ type }) => type === 'password').map(({ key }) => key);

const NO_PREVIOUS = { previousOpenKey: null, previousSignatureKey: null, previousUntil: null };
