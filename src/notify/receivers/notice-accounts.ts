/** Fields of a hosting account that notices need. */
export interface NoticeAccount {
  readonly id: number;
  readonly username: string;
  /** Address of its owner; null if unknown. */
  readonly email: string | null;
}

/** Lookup of customers; implemented by the customers module. */
export abstract class NoticeCustomers {
  /** Finds by id; null if not found. */
  abstract findForNotices(id: number): Promise<NoticeAccount | null>;
}

/** Selects the accounts of a server, or all. */
export interface NoticeAccountFilter {
  /** Code of the server. */
  readonly server?: string;
}

/** Lookup of hosting accounts; implemented by the hosting module. Accounts being created or deleted are not returned. */
export abstract class NoticeAccounts {
  /** Finds an account by login name, case-insensitive; null if not found. */
  abstract find(username: string): Promise<NoticeAccount | null>;

  /** Finds by id; null if not found. */
  abstract findById(id: number): Promise<NoticeAccount | null>;

  /** Returns the next accounts after an id, by id. */
  abstract after(id: number, limit: number, filter: NoticeAccountFilter): Promise<NoticeAccount[]>;

  /** Returns the code of an account's server; null if the account does not exist. */
  abstract serverOf(id: number): Promise<string | null>;

  /** Returns the exact code of a server, found case-insensitively; null if not found. */
  abstract serverNamed(code: string): Promise<string | null>;
}
