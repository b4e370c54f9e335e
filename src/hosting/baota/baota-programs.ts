import { Injectable } from '@nestjs/common';

import { PanelPhp } from './sites/index.js';

/** Ports for what sites run. */
@Injectable()
export class BaotaPrograms {
  constructor(readonly php: PanelPhp) {}
}
