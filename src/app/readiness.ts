import { Injectable } from '@nestjs/common';

/** Whether the process has finished starting, and whether it is shutting down. */
@Injectable()
export class Readiness {
  ready = false;
  /** Still serving, but must get no new requests. */
  ending = false;
}
