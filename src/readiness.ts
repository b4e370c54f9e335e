import { Injectable } from '@nestjs/common';

/** Whether the process has finished starting. */
@Injectable()
export class Readiness {
  ready = false;
}
