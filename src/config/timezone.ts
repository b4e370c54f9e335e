// Runs the process in UTC whatever the machine's zone is, because database drivers parse times in the process's zone.
// Imported first by every entry point. Legacy times are written in TIMEZONE by the code that creates wire texts.
process.env.TZ = 'UTC';
