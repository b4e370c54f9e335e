import '@svc/page-kit/browser/captcha';
