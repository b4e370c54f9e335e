import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { DAY_MS, HOUR_MS } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { ImageFolder } from '../../images/index.js';
import { Job } from '../../jobs/index.js';
import { StoreImage, StoreVersion } from '../entities/index.js';
import { IncomingPackages, PackageStorage } from '../packages/index.js';

/** How long an uploaded picture may stay unused, in milliseconds. */
const IMAGE_MS = 30 * DAY_MS;

/** Removes unused files: packages of deleted items and crashes, incomplete uploads, pictures nothing refers to. */
@Injectable()
export class StoreSweep {
  constructor(
    private readonly database: Database,
    private readonly incoming: IncomingPackages,
    private readonly storage: PackageStorage,
    private readonly images: ImageFolder,
  ) {}

  @Job({ name: 'store-sweep', everyMinutes: 60, catchUp: true })
  async packagesOfTheHour(): Promise<void> {
    await this.packages(HOUR_MS);
  }

  @Job({ name: 'store-images-sweep', dailyAt: '04:40' })
  async picturesOfTheDay(): Promise<void> {
    await this.pictures(IMAGE_MS);
  }

  /**
   * Removes unused uploads and packages older than this, in milliseconds; the row of a younger one may not be written yet. @returns number
   * of removed files
   */
  async packages(minimumAgeMs: number): Promise<number> {
    const inUse = async (digests: readonly string[]): Promise<Set<string>> => {
      const rows = await this.database.repository(StoreVersion).find({ select: { sha256: true }, where: { sha256: In([...digests]) } });
      return new Set(rows.map(({ sha256 }) => sha256));
    };
    return (await this.incoming.sweep(minimumAgeMs)) + (await this.storage.sweep({ inUse, minimumAgeMs }));
  }

  /** Removes pictures older than this, in milliseconds, that no item, edit request or account uses. @returns number removed */
  async pictures(minimumAgeMs: number): Promise<number> {
    return this.images.sweep(async (name) => {
      if (await this.isShown(name)) return true;
      await this.database.repository(StoreImage).delete({ name });
      return false;
    }, minimumAgeMs);
  }

  private async isShown(name: string): Promise<boolean> {
    // Names are random, so an occurrence in a text always refers to the picture.
    const anywhere = `%${name}%`;
    const sql = `SELECT 1 AS found FROM {StoreItem}
      WHERE {StoreItem.mainImage} LIKE ? OR {StoreItem.description} LIKE ? OR {StoreItem.screenshots} LIKE ?
      UNION ALL SELECT 1 FROM {StoreEditRequest} WHERE {StoreEditRequest.status} = 'pending' AND {StoreEditRequest.newValue} LIKE ?
      UNION ALL SELECT 1 FROM {StoreUser} WHERE {StoreUser.avatar} LIKE ? LIMIT 1`;
    return (await this.database.statement(sql).get(anywhere, anywhere, anywhere, anywhere, anywhere)) !== undefined;
  }
}
