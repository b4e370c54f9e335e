import '../../page-kit/captcha.js';
