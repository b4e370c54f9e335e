import { type ProblemParams, problemText, type TaskProblem } from '../../../src/agents/wire/task-problems.js';

/** A refused task; the text is shown to users of the panel. */
export class TaskRefused<Problem extends TaskProblem = TaskProblem> extends Error {
  constructor(problem: Problem, ...params: ProblemParams<Problem>) {
    super(problemText(problem, ...params));
  }
}

/** The agent is stopping; the interrupted task is resumed at the next start. */
export class Stopped extends Error {}
