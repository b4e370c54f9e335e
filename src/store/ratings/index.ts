import './texts.js';

export { Rating, RatingForm, RatingReportForm, ReplyForm, VersionQuery } from './rating.dto.js';
export { ItemRatingsController, RatingModerationController, RatingsController } from './ratings.controller.js';
export { NO_RATING, Ratings } from './ratings.js';
