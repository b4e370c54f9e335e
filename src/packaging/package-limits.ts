const MB = 1024 * 1024;

/** What a package may measure. Source: docs/store-packages.md "Limits". */
export const PACKAGE_LIMITS = {
  /** Bytes of the uploaded ZIP. */
  archiveBytes: 50 * MB,
  /** Files, without folders and what macOS adds. */
  files: 500,
  /** Everything the ZIP lists: files, folders and what macOS adds. */
  entries: 2_000,
  /** Bytes of one unpacked file. */
  fileBytes: 10 * MB,
  /** Bytes of all unpacked files together. */
  totalBytes: 200 * MB,
  /** Bytes of the ZIP's list of files. 2,000 entries with long names and extra fields stay well below. */
  directoryBytes: 2 * MB,
  /** Bytes of a path in UTF-8. */
  pathBytes: 500,
  /** Bytes of one name within a path in UTF-8: what common file systems take. */
  segmentBytes: 255,
  /** Folders within each other. */
  depth: 32,
} as const;
