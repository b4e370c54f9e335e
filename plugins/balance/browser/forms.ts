import '@svc/page-kit/browser/forms';
