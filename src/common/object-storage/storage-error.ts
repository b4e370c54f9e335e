/** Errors of a file storage. */
export type StorageErrorCode = 'NOT_FOUND' | 'RANGE' | 'TOO_LARGE' | 'ABORTED' | 'REFUSED' | 'UNAVAILABLE';

/** An error of a file storage; `message` is for the log. */
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
