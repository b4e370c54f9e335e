// The process lives in UTC whatever the machine's zone is: database drivers turn text into dates by the process's zone.
// Imported first by every entry point. Legacy times are written in TIMEZONE by the code that makes wire texts.
process.env.TZ = 'UTC';
