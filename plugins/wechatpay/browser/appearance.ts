import '@svc/page-kit/browser/appearance';
