import type { SiteConfig } from './entities/index.js';
import type { FormValues } from '../http/index.js';

type Settings = Readonly<SiteConfig>;

/** Form values of `setwz`, by field name. */
export const siteForm = (settings: Settings) =>
  ({
    name: settings.name,
    gg: settings.notice ?? '',
    qq: settings.contact,
    yzm: settings.adminCaptcha,
    f2: settings.adminSecondFactor,
    mcx: settings.slowQueryMs,
  }) satisfies FormValues;

/** As {@link siteForm}, for `setkzmb`. */
export const userSideForm = (settings: Settings) =>
  ({
    yzm: settings.userCaptcha,
    f2: settings.userSecondFactor,
    kg: settings.userPanelOpen,
    bq: settings.copyright ?? '',
    ftp: settings.fileManager,
  }) satisfies FormValues;

/** As {@link siteForm}, for the images of `setkzmb`, one file each. */
export const logosForm = (settings: Settings) =>
  ({ loa: settings.loginLogo, lob: settings.homeLogo, loc: settings.menuLogo }) satisfies FormValues;

/** As {@link siteForm}, for `setapi`. The keys are not shown and not compared. */
export const apiForm = (settings: Settings) =>
  ({
    apiqk: settings.apiOpen,
    apiip: settings.apiAllow ?? '',
    linux: settings.linuxRoot,
    windows: settings.windowsRoot,
  }) satisfies FormValues;
