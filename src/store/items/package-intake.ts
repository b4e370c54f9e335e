import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';

import { Semaphore } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { StoreItem } from '../entities/index.js';
import { StoreError } from '../errors.js';
import type { StoreRequest } from '../call/index.js';
import { readFileForm } from '../http/index.js';
import {
  authorKeyFinding,
  type AuthorSignature,
  type DigestedFile,
  type FileDigest,
  findProblems,
  IncomingPackages,
  joinFindings,
  PACKAGE_LIMITS,
  type PackageFinding,
  type PackageForm,
  type PackageManifest,
  PackageRefusal,
  PackageStorage,
  readPackage,
} from '../packages/index.js';

/** How many items a new one's name is compared with: the most downloaded ones. */
const COMPARED_ITEMS = 2_000;

/** An uploaded ZIP and its original file name. */
export interface UploadedPackage {
  readonly file: DigestedFile;
  readonly name: string;
}

/** A parsed upload form. */
export interface UploadForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly upload: UploadedPackage | null;
}

/** Inspection result of a valid package. */
export interface Inspection {
  readonly manifest: PackageManifest;
  /** The author's signature; null if unsigned. */
  readonly author: AuthorSignature | null;
  /** Excludes blocked files, which are looked up on each view. */
  readonly findings: readonly PackageFinding[];
  readonly files: readonly FileDigest[];
  /** Unpacked size in bytes. */
  readonly totalSize: number;
}

/** Accepts packages: receives, validates, scans and stores them. */
@Injectable()
export class PackageIntake {
  /** Unpacking and scanning are CPU-bound. */
  private readonly slots = new Semaphore(2);

  constructor(
    private readonly database: Database,
    private readonly incoming: IncomingPackages,
    private readonly storage: PackageStorage,
  ) {}

  /** Reads the form with its ZIP in the field `zipfile`, and always removes the temporary ZIP after `work`. */
  async receive<T>(req: StoreRequest, work: (form: UploadForm) => Promise<T>): Promise<T> {
    const { fields, file: upload } = await readFileForm<UploadedPackage>(req, {
      field: 'zipfile',
      maxBytes: PACKAGE_LIMITS.archiveBytes,
      tooLarge: () => new PackageRefusal('ARCHIVE_TOO_LARGE'),
      inMemory: false,
      receive: async ({ stream, name }, signal) => ({ file: await this.incoming.receive(stream, { signal }), name }),
      discard: ({ file }) => this.incoming.discard(file),
    });
    try {
      return await work({ fields, upload });
    } finally {
      if (upload) await this.incoming.discard(upload.file);
    }
  }

  /**
   * Validates and scans a package.
   *
   * @param authorId author whose own items are excluded from the name comparison
   * @param knownKey the author's key that signed the newest published version; empty: unsigned
   * @throws StoreError INVALID (file name without .zip), PackageRefusal
   */
  async inspect({ file, name }: UploadedPackage, form: PackageForm, authorId: number, knownKey = ''): Promise<Inspection> {
    if (!/\.zip$/i.test(name)) throw new StoreError('ZIP_ONLY');
    return this.slots.take(async () => {
      const { contents, manifest, author } = await readPackage(file.path, form);
      const others = await this.database.repository(StoreItem).find({
        select: { slug: true, name: true },
        where: { status: 'approved', authorId: Not(authorId) },
        order: { downloads: 'DESC', id: 'DESC' },
        take: COMPARED_ITEMS,
      });
      const findings = await findProblems(contents, form, manifest, {
        existingSlugs: others.map(({ slug }) => slug),
        existingNames: others.map((item) => item.name),
      });
      const ofKey = authorKeyFinding(author, knownKey);
      return {
        manifest,
        author,
        findings: ofKey ? joinFindings([ofKey], findings) : findings,
        files: contents.entries.map(({ path, sha256 }) => ({ path, sha256 })),
        totalSize: contents.totalSize,
      };
    });
  }

  /** Stores a package permanently. Without a row that refers to it, the sweep removes it later. */
  store(upload: UploadedPackage): Promise<void> {
    return this.storage.store(upload.file);
  }
}
