/** Minimum length of a new password. */
export const MIN_PASSWORD = 6;
