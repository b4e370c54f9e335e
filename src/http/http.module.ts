import { Global, Module } from '@nestjs/common';

import { BodyAdmission } from './body-admission.js';
import { BodyPace } from './body-pace.js';
import { CompressedFiles } from './answers/compressed-files.js';

/** How requests come in and files go out: one admission of bodies, and one place of compressed files, for the whole process. */
@Global()
@Module({ providers: [BodyAdmission, BodyPace, CompressedFiles], exports: [BodyAdmission, BodyPace, CompressedFiles] })
export class HttpModule {}
