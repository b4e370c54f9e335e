/** Language of visitors who have not chosen one; empty follows their browser. Comes from the settings of the installation. */
export abstract class SiteLocale {
  abstract current(): string;
}
