import '../../page-kit/appearance.js';
