/** What can go wrong with a place that files are kept in. */
export type StorageErrorCode = 'NOT_FOUND' | 'RANGE' | 'TOO_LARGE' | 'ABORTED' | 'REFUSED' | 'UNAVAILABLE';

/** An error of such a place; `message` is for the log. */
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
