import '../../page-kit/look-again.js';
