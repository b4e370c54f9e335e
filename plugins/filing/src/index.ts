import { FilingModule } from './filing.module.js';

/** Numbers a site in China has to show, below the pages of visitors and customers; administrators know them. */
export default FilingModule.onPagesOf('home', 'user', 'pay');
