import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { AppError, Semaphore, errorMessage, loggerFor, type TextRef } from '../../common/index.js';
import type { ProvisionRequest } from '../../sdk/index.js';
import { ProvisioningService } from '../accounts/index.js';
import { DriverRegistry, type RemoteSite } from '../driver/index.js';
import type { HostingNode } from '../entities/index.js';
import { NodeDriftCheck } from '../maintenance/index.js';

import { AdoptionError } from './adoption-errors.js';
import { NodeDifferences } from './node-differences.js';

const log = loggerFor('hosting');
/** Adoptions of one call that are under way at once: each makes a slow hash. */
const AT_ONCE = 2;

/** A site somebody wants in the panel. */
export interface WantedSite {
  /** Its name on the server. */
  readonly site: string;
  /** Empty: as the server has it. */
  readonly user: string;
  /** Empty: one is made. */
  readonly password: string;
}

/** Outcome of one adoption. */
export interface Adopted {
  readonly site: string;
  readonly user: string;
  /** Of the new account; 0 where it came to nothing. */
  readonly id: number;
  /** The password that was made for it; empty where somebody gave one. */
  readonly password: string;
  /** Why not; null where it is the site of an account now. */
  readonly reason: AppError | TextRef | null;
}

/** Makes accounts of sites a server has and the panel does not know. */
@Injectable()
export class SiteAdoption {
  constructor(
    private readonly provisioning: ProvisioningService,
    private readonly check: NodeDriftCheck,
    private readonly differences: NodeDifferences,
    private readonly registry: DriverRegistry,
  ) {}

  /** Whether the kind of server hands sites over. @param nodeId of the server */
  async isOffered(nodeId: number): Promise<boolean> {
    const { driver } = await this.differences.server(nodeId);
    return this.registry.find(driver)?.adopt !== undefined;
  }

  /**
   * Each by itself: one that cannot be taken over is told and left as it is.
   *
   * @param limits limits and last day of all of them
   * @throws AdoptionError NOT_ON_THIS_SERVER for a kind of server that hands no sites over; HostingError for a server that does not answer
   */
  async adopt(
    node: HostingNode,
    wanted: readonly WantedSite[],
    limits: Omit<ProvisionRequest, 'node' | 'user' | 'password'>,
    source: string,
  ) {
    if (!this.registry.driverOf(node).adopt) throw new AdoptionError('NOT_ON_THIS_SERVER', { code: node.code });
    const there = await this.check.sitesOf(node);
    const turns = new Semaphore(AT_ONCE);
    return Promise.all(wanted.map((one) => turns.take(() => this.one(node, one, there.get(one.site), limits, source))));
  }

  private async one(
    node: HostingNode,
    { site, user: given, password: chosen }: WantedSite,
    there: RemoteSite | undefined,
    limits: Omit<ProvisionRequest, 'node' | 'user' | 'password'>,
    source: string,
  ): Promise<Adopted> {
    const user = given || (there?.username ?? '');
    const made = chosen === '' ? randomBytes(9).toString('base64url') : '';
    const result = { site, user, id: 0, password: '' };
    try {
      if (!there) throw new AdoptionError('SITE_GONE', { site });
      const request = { ...limits, node: node.code, user, password: chosen || made };
      const { id } = await this.provisioning.adopt(request, source, there);
      await this.differences.adopted(node.id, site);
      return { ...result, id, password: made, reason: null };
    } catch (error) {
      if (error instanceof AppError) return { ...result, reason: error };
      log.error({ err: error, node: node.code, site, message: errorMessage(error) }, 'a site could not be taken over');
      return { ...result, reason: { key: 'hosting.repair_failed' } };
    }
  }
}
