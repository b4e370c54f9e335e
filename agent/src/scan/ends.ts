/** A task that is not done; the text is for the people who look at it in the panel. */
export class TaskRefused extends Error {}

/** The agent is stopping; what was under way is taken up again at the next start. */
export class Stopped extends Error {}
