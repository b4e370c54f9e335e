/** Requests for mails with a link, by whoever knows a name or an address: per network, for any input. */
export const LINK_MAILS_OF_NETWORK = { limit: 20, windowSeconds: 3_600 };

/** Those for one recipient, from anywhere, so that no mailbox is flooded. */
export const LINK_MAILS_TO_ONE = { limit: 3, windowSeconds: 3_600 };
