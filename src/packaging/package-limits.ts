const MB = 1024 * 1024;

/** Size limits of a package. Source: docs/store-packages.md "Limits". */
export const PACKAGE_LIMITS = {
  /** Bytes of the ZIP. */
  archiveBytes: 50 * MB,
  /** Number of files, without folders and macOS metadata. */
  files: 500,
  /** Number of ZIP entries: files, folders and macOS metadata. */
  entries: 2_000,
  /** Bytes of one unpacked file. */
  fileBytes: 10 * MB,
  /** Bytes of all unpacked files together. */
  totalBytes: 200 * MB,
  /** Bytes of the ZIP's central directory; 2,000 entries with long names and extra fields need far less. */
  directoryBytes: 2 * MB,
  /** Bytes of a path in UTF-8. */
  pathBytes: 500,
  /** Bytes of a path segment in UTF-8, the limit of common file systems. */
  segmentBytes: 255,
  /** Nesting depth of folders. */
  depth: 32,
} as const;
