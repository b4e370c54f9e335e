import { FilingModule } from './filing.module.js';

/** Shows the registration numbers required for sites in China below the pages of visitors and customers. */
export default FilingModule.onPagesOf('home', 'user', 'pay');
