import { Controller } from '@nestjs/common';

import { Page } from '../../web/index.js';

import { MAX_FILE_BYTES, MAX_MONITORS } from './kuma-file.js';

const SHOWN = { most: MAX_MONITORS, megabytes: MAX_FILE_BYTES / 1024 ** 2 };

/** Pages for uploading an Uptime-Kuma file, previewing and importing it. */
@Controller()
export class ImportPages {
  @Page({ side: 'user', path: 'monitor-import', title: 'monitor.menu.monitors' })
  ofUser(): object {
    return { ...SHOWN, operations: { look: 'monitor_import_look', run: 'monitor_import' } };
  }

  @Page({ side: 'admin', path: 'monitor-import', title: 'monitor.menu.monitors', needs: ['jkdryl', 'jkdr'] })
  ofAdmin(): object {
    return { ...SHOWN, operations: { look: 'jkdryl', run: 'jkdr' } };
  }
}
