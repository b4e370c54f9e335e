import '@svc/page-kit/browser/look-again';
