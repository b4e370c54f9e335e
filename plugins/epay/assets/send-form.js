import '../../page-kit/send-form.js';
