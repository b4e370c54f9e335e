import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { BodyIntake, type BodyPlan } from './body-intake.js';
import { BodyPace } from './body-pace.js';
import { MemoryBudget } from './memory-budget.js';

const INTAKE = Symbol('the intake of a request');
type Admitted = IncomingMessage & { [INTAKE]?: BodyIntake };

/**
 * The one way in for the bodies of requests: of panel, node API, provisioning API and store. Memory is shared out by what has really come
 * ({@link MemoryBudget}), time by how fast it comes ({@link BodyPace}).
 */
@Injectable()
export class BodyAdmission {
  readonly budget = new MemoryBudget();

  constructor(readonly pace: BodyPace) {}

  /** Takes in the body of a request; {@link done} has to follow once nobody needs it any more. */
  open(req: IncomingMessage, plan: BodyPlan): BodyIntake {
    const intake = new BodyIntake(req, plan, this.pace, this.budget);
    (req as Admitted)[INTAKE] = intake;
    return intake;
  }

  /** The whole body of a request, in memory. @throws BodyError as {@link BodyIntake.read} */
  read(req: IncomingMessage, plan: BodyPlan): Promise<Buffer> {
    return this.open(req, plan).read();
  }

  /** Whoever was given the body of a request is done with it: its memory is free for others. */
  done(req: IncomingMessage): void {
    (req as Admitted)[INTAKE]?.done();
  }
}
