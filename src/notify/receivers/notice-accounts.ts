/** A hosting account as notices need it. */
export interface NoticeAccount {
  readonly id: number;
  readonly username: string;
  /** Where its owner gets mail; null where no address is known. */
  readonly email: string | null;
}

/** Where customers are kept; the customers module says so. */
export abstract class NoticeCustomers {
  /** By id; null where there is none. */
  abstract findForNotices(id: number): Promise<NoticeAccount | null>;
}

/** Which accounts are meant: those of one server, or every one. */
export interface NoticeAccountFilter {
  /** Code of the server. */
  readonly server?: string;
}

/** Where the accounts of the user side are kept; the hosting module says so. Accounts that are not ready yet or being deleted are none. */
export abstract class NoticeAccounts {
  /** By login name, ignoring case; null where there is none. */
  abstract find(username: string): Promise<NoticeAccount | null>;

  /** By id; null where there is none. */
  abstract findById(id: number): Promise<NoticeAccount | null>;

  /** The next accounts behind an id, by id. */
  abstract after(id: number, limit: number, filter: NoticeAccountFilter): Promise<NoticeAccount[]>;

  /** Code of the server an account is on; null where there is no such account. */
  abstract serverOf(id: number): Promise<string | null>;

  /** The code of a server as it is written, ignoring case; null where there is none. */
  abstract serverNamed(code: string): Promise<string | null>;
}
