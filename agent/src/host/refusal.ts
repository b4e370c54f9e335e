/** A refused action with an error code of its port; the message goes to the panel's log and contains no secret. */
export class HostRefusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly params: Readonly<Record<string, string | number>> = {},
  ) {
    super(message);
  }
}

/** The site of an action is not on this server. */
export class SiteMissing extends Error {}
