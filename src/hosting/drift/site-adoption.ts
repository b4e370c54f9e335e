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
/** Adoptions of one call that run in parallel: each computes a slow hash. */
const CONCURRENCY = 2;

/** A site to adopt. */
export interface WantedSite {
  /** Its name on the server. */
  readonly site: string;
  /** Empty uses the name on the server. */
  readonly user: string;
  /** Empty generates one. */
  readonly password: string;
}

/** Outcome of one adoption. */
export interface Adopted {
  readonly site: string;
  readonly user: string;
  /** Id of the new account; 0 if the adoption failed. */
  readonly id: number;
  /** The generated password; empty if one was given. */
  readonly password: string;
  /** Reason of the failure; null on success. */
  readonly reason: AppError | TextRef | null;
}

/** Creates accounts for sites that exist on a server but not in the panel. */
@Injectable()
export class SiteAdoption {
  constructor(
    private readonly provisioning: ProvisioningService,
    private readonly check: NodeDriftCheck,
    private readonly differences: NodeDifferences,
    private readonly registry: DriverRegistry,
  ) {}

  /** Whether this kind of server supports adopting sites. @param nodeId of the server */
  async isOffered(nodeId: number): Promise<boolean> {
    const { driver } = await this.differences.server(nodeId);
    return this.registry.find(driver)?.adopt !== undefined;
  }

  /**
   * Adopts each site independently: a failure is reported and leaves the site unchanged.
   *
   * @param limits limits and last day of all sites
   * @throws AdoptionError NOT_ON_THIS_SERVER for a kind of server that does not support it; HostingError when the server does not answer
   */
  async adopt(
    node: HostingNode,
    wanted: readonly WantedSite[],
    limits: Omit<ProvisionRequest, 'node' | 'user' | 'password'>,
    source: string,
  ) {
    if (!this.registry.driverOf(node).adopt) throw new AdoptionError('NOT_ON_THIS_SERVER', { code: node.code });
    const there = await this.check.sitesOf(node);
    const turns = new Semaphore(CONCURRENCY);
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
      log.error({ err: error, node: node.code, site, message: errorMessage(error) }, 'a site could not be adopted');
      return { ...result, reason: { key: 'hosting.repair_failed' } };
    }
  }
}
