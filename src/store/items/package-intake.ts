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

/** Items whose names a new one is compared with: those most downloaded. */
const COMPARED_ITEMS = 2_000;

/** An uploaded ZIP and what its sender called it. */
export interface UploadedPackage {
  readonly file: DigestedFile;
  readonly name: string;
}

/** A form of an upload. */
export interface UploadForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly upload: UploadedPackage | null;
}

/** Result of inspecting a package that broke no rule. */
export interface Inspection {
  readonly manifest: PackageManifest;
  /** Who signed it as its author; null where nobody did. */
  readonly author: AuthorSignature | null;
  /** Without those about blocked files, which are asked for whenever somebody looks. */
  readonly findings: readonly PackageFinding[];
  readonly files: readonly FileDigest[];
  /** Unpacked, in bytes. */
  readonly totalSize: number;
}

/** Takes packages in: onto the disk, through the rules, past the machine's eyes, into the storage. */
@Injectable()
export class PackageIntake {
  /** Unpacking and scanning keep a processor busy. */
  private readonly turns = new Semaphore(2);

  constructor(
    private readonly database: Database,
    private readonly incoming: IncomingPackages,
    private readonly storage: PackageStorage,
  ) {}

  /** Reads the form with its ZIP, in the field `zipfile`, and takes the ZIP away once `work` has ended, however it ends. */
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
   * Checks a package against every rule and looks through it.
   *
   * @param authorId whose own items it may look like
   * @param knownKey the author's key the newest published version was signed with; empty: none
   * @throws StoreError INVALID (no ZIP by its name), PackageRefusal
   */
  async inspect({ file, name }: UploadedPackage, form: PackageForm, authorId: number, knownKey = ''): Promise<Inspection> {
    if (!/\.zip$/i.test(name)) throw new StoreError('ZIP_ONLY');
    return this.turns.take(async () => {
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

  /** Keeps a package for good. Without a row that names it the sweep takes it away after a while. */
  keep(upload: UploadedPackage): Promise<void> {
    return this.storage.keep(upload.file);
  }
}
