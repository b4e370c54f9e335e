import '@svc/page-kit/browser/send-form';
