/** Creates and verifies the stored hash of an account's password. */
export interface PasswordHashing {
  /** @returns at most 100 characters */
  hash(plain: string): Promise<string>;
  verify(plain: string, stored: string): Promise<boolean>;
}

/** Injection token of {@link PasswordHashing}. */
export const PASSWORD_HASHING = Symbol('PASSWORD_HASHING');
