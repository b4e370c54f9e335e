/** Limit of guesses at the password or a code of an account, per account, by whoever has an open session of it. */
export const SIGNED_IN_GUESSES = { limit: 10, windowSeconds: 600 };
