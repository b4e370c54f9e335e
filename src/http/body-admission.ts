import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { BodyIntake, type BodyPlan } from './body-intake.js';
import { BodyPace } from './body-pace.js';
import { MemoryBudget } from './memory-budget.js';

const INTAKE = Symbol('the intake of a request');
type Admitted = IncomingMessage & { [INTAKE]?: BodyIntake };

/**
 * Reads all request bodies: of panel, node API, provisioning API and store. Memory is allocated by the bytes that have arrived ({@link
 * MemoryBudget}), time by transfer speed ({@link BodyPace}).
 */
@Injectable()
export class BodyAdmission {
  readonly budget = new MemoryBudget();

  constructor(readonly pace: BodyPace) {}

  /** Starts reading the body of a request; {@link done} must be called once the body is no longer needed. */
  open(req: IncomingMessage, plan: BodyPlan): BodyIntake {
    const intake = new BodyIntake(req, plan, this.pace, this.budget);
    (req as Admitted)[INTAKE] = intake;
    return intake;
  }

  /** Reads the whole body of a request into memory. @throws BodyError as {@link BodyIntake.read} */
  read(req: IncomingMessage, plan: BodyPlan): Promise<Buffer> {
    return this.open(req, plan).read();
  }

  /** Releases the memory of a request's body. */
  done(req: IncomingMessage): void {
    (req as Admitted)[INTAKE]?.done();
  }
}
