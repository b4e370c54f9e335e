/** Makes and checks the hash an account's password is kept as. */
export interface PasswordHashing {
  /** @returns at most 100 characters */
  hash(plain: string): Promise<string>;
  verify(plain: string, stored: string): Promise<boolean>;
}

/** Token of {@link PasswordHashing}. */
export const PASSWORD_HASHING = Symbol('PASSWORD_HASHING');
