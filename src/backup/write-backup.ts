import type { AppConfig } from '../config/index.js';
import { API_VERSION } from '../sdk/index.js';
import type { DatabaseSnapshot, TableShape } from './database/snapshot.js';

import { ArchiveWriter } from './archive/archive-writer.js';
import { writeDataFiles } from './archive/data-files.js';
import { type About, ARCHIVE_FORMAT, ENTRIES, type Manifest, type RowsHead } from './archive/manifest.js';

/** Maximum bytes of rows per entry; tar needs the size of an entry before its content. */
const PART_BYTES = 2 * 1_048_576;

/** Parameters of a backup. */
export interface BackupJob {
  readonly config: AppConfig;
  /** Path of the archive; must not exist yet. */
  readonly path: string;
  /** Folder of the backups, which is not backed up itself. */
  readonly folder: string;
  readonly recipient: string;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Called with the progress; aborts the backup by rejecting. */
  readonly progress: (done: { rows: number; files: number; bytes: number }) => Promise<void>;
}

/** Writes a complete backup: the database snapshot first, then the files, including the installation's key. */
export async function writeBackup(snapshot: DatabaseSnapshot, job: BackupJob): Promise<Manifest> {
  const archive = new ArchiveWriter(job.path, job.recipient, job.signal);
  try {
    const about: About = { format: ARCHIVE_FORMAT, panel: API_VERSION, engine: snapshot.engine, madeAt: job.now.toISOString() };
    await archive.addBuffer(ENTRIES.about, Buffer.from(JSON.stringify(about)));
    await archive.addBuffer(ENTRIES.schema, Buffer.from(JSON.stringify(await snapshot.schema())));
    const tables: Record<string, number> = {};
    let rows = 0;
    for (const table of await snapshot.tables()) {
      tables[table.name] = await writeTable(archive, snapshot, table, (count) =>
        job.progress({ rows: rows + count, files: 0, bytes: archive.bytes }),
      );
      rows += tables[table.name]!;
    }
    const files = await writeDataFiles(archive, job.config, job.folder, (soFar) =>
      job.progress({ rows, files: soFar, bytes: archive.bytes }),
    );
    return await archive.end(about, { tables, rows, files });
  } catch (error) {
    await archive.abandon();
    throw error;
  }
}

async function writeTable(
  archive: ArchiveWriter,
  snapshot: DatabaseSnapshot,
  table: TableShape,
  progress: (rows: number) => Promise<void>,
): Promise<number> {
  const head: RowsHead = { table: table.name, columns: table.columns };
  let [rows, part, size] = [0, 0, 0];
  let lines = [JSON.stringify(head)];
  const flush = async (): Promise<void> => {
    part += 1;
    await archive.addBuffer(`${ENTRIES.rows}${encodeURIComponent(table.name)}/${part}.ndjson`, Buffer.from(`${lines.join('\n')}\n`));
    lines = [JSON.stringify(head)];
    size = 0;
  };
  for await (const slice of snapshot.rows(table)) {
    for (const row of slice) {
      const line = JSON.stringify(row);
      lines.push(line);
      size += line.length;
      if (size > PART_BYTES) await flush();
    }
    rows += slice.length;
    await progress(rows);
  }
  if (lines.length > 1 || part === 0) await flush();
  return rows;
}
