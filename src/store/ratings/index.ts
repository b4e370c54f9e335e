import './texts.js';

export { RatingForm, RatingReportForm, ReplyForm } from './rating.dto.js';
export { ItemRatingsController, RatingModerationController, RatingsController } from './ratings.controller.js';
export { NO_RATING, Ratings } from './ratings.js';
