/** What can go wrong with the place packages are kept in. */
export type StorageErrorCode = 'NOT_FOUND' | 'RANGE' | 'TOO_LARGE' | 'ABORTED' | 'UNAVAILABLE';

/** An error of {@link PackageStorage} or {@link IncomingPackages}; `message` is for the log. */
export class StorageError extends Error {
  constructor(
    readonly code: StorageErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StorageError';
  }
}
