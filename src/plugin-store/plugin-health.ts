import { Injectable } from '@nestjs/common';

import { BaseUrl } from '../config/index.js';
import { Routes } from '../operations/index.js';
import { PluginReconciler } from '../plugin-registry/index.js';

import { PluginStoreError } from './errors.js';

/** Timeout of the health check, in milliseconds. */
const HEALTH_MS = 5_000;

/** Checks whether a newly started plugin is healthy. */
@Injectable()
export class PluginHealth {
  constructor(
    private readonly running: PluginReconciler,
    private readonly routes: Routes,
    private readonly baseUrl: BaseUrl,
  ) {}

  /** Checks that the plugin runs, and queries its route `GET /p/<slug>/health` if it has one. @throws PluginStoreError UNHEALTHY */
  async require(slug: string): Promise<void> {
    if (!this.running.isActive(slug)) throw new PluginStoreError('UNHEALTHY', { answer: '–' });
    const path = `/p/${slug}/health`;
    if (!this.routes.list().some((route) => route.owner === slug && route.path === path)) return;
    const answer = await this.request(`${this.baseUrl.local()}${path}`);
    if (answer !== '2xx') throw new PluginStoreError('UNHEALTHY', { answer });
  }

  private async request(url: string): Promise<string> {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(HEALTH_MS), redirect: 'manual' });
      await response.body?.cancel();
      return response.ok ? '2xx' : `HTTP ${response.status}`;
    } catch (error) {
      return (error as Error).name;
    }
  }
}
