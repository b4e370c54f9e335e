import { Injectable } from '@nestjs/common';

/** Whether the process has finished starting, and was told to end. */
@Injectable()
export class Readiness {
  ready = false;
  /** Still served, but not to be sent anything new. */
  ending = false;
}
