/** An action that is not done, with the code its port has for it; the message is for the panel's log and holds no secret. */
export class HostRefusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly params: Readonly<Record<string, string | number>> = {},
  ) {
    super(message);
  }
}

/** The site an action is about is not here. */
export class SiteMissing extends Error {}
