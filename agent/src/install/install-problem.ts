/** Why a server cannot be set up; the text says what to do. */
export class InstallProblem extends Error {}
