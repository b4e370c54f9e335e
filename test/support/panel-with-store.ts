import { expect } from 'vitest';

import { TestPanel } from './panel.js';
import { StoreBetween } from './store-between.js';
import { formOf, submit } from './store-packages.js';
import { type StoreClient, TestStore } from './store.js';

/** Store with a reviewer and an author, a panel that installs from it, and a proxy between them that can change responses. */
export class PanelWithStore {
  private readonly items = new Map<string, number>();

  private constructor(
    readonly store: TestStore,
    readonly reviewer: StoreClient,
    readonly author: StoreClient,
    readonly between: StoreBetween,
    readonly panel: TestPanel,
  ) {}

  static async start(): Promise<PanelWithStore> {
    const store = await TestStore.start();
    const [reviewer, author] = [await store.member('Root', 'admin'), await store.member('Alice')];
    const between = await StoreBetween.start(store.url);
    return new PanelWithStore(
      store,
      reviewer,
      author,
      between,
      await TestPanel.start({ SERVICES: 'panel,worker', STORE_URL: between.url }),
    );
  }

  async close(): Promise<void> {
    await this.panel.close();
    await this.between.close();
    await this.store.close();
  }

  /** Publishes a version in the store, with its review. */
  async publish(slug: string, version: string, zip: Buffer, fields: Record<string, string> = {}): Promise<void> {
    const known = this.items.get(slug);
    const answer = known
      ? await this.author.call<{ id: number }>(
          'POST',
          `/developer/items/${known}/versions`,
          formOf({ version, changelog: `New in ${version}`, channel: fields.channel ?? 'stable' }, zip),
        )
      : await submit(this.author, slug, { ...fields, version }, zip);
    expect(answer.msg, slug).toBeTruthy();
    const id = known ?? (answer.data as { id: number }).id;
    this.items.set(slug, id);
    const approved = await this.reviewer.call('PUT', `/admin/items/${id}/approve`);
    expect([slug, version, approved.status, approved.msg], answer.msg).toEqual([slug, version, 200, expect.anything()]);
  }

  /** Withdraws a version, as its author. */
  async withdraw(slug: string, version: string, reason: string): Promise<void> {
    const answer = await this.author.call('PUT', `/developer/items/${this.idOf(slug)}/versions/${version}/withdraw`, { reason });
    expect(answer.status, answer.msg).toBe(200);
  }

  /** Returns the id of a published item in the store. */
  idOf(slug: string): number {
    return this.items.get(slug)!;
  }
}
