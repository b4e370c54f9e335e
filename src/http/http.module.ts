import { Global, Module } from '@nestjs/common';

import { BodyAdmission } from './body-admission.js';
import { BodyPace } from './body-pace.js';

/** How requests come in: one admission of their bodies for the whole process. */
@Global()
@Module({ providers: [BodyAdmission, BodyPace], exports: [BodyAdmission, BodyPace] })
export class HttpModule {}
