import { Global, Module } from '@nestjs/common';

import { BodyAdmission } from './body-admission.js';
import { BodyPace } from './body-pace.js';
import { CompressedFiles } from './answers/compressed-files.js';

/** Request bodies and compressed files: a single admission and a single cache for the whole process. */
@Global()
@Module({ providers: [BodyAdmission, BodyPace, CompressedFiles], exports: [BodyAdmission, BodyPace, CompressedFiles] })
export class HttpModule {}
