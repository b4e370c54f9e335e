import { type ProblemParams, problemText, type TaskProblem } from '../../../src/agents/wire/task-problems.js';

/** A task that is not done; the text is for the people who look at it in the panel. */
export class TaskRefused<Problem extends TaskProblem = TaskProblem> extends Error {
  constructor(problem: Problem, ...params: ProblemParams<Problem>) {
    super(problemText(problem, ...params));
  }
}

/** The agent is stopping; what was under way is taken up again at the next start. */
export class Stopped extends Error {}
