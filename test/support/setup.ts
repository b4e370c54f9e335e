import 'reflect-metadata';

// Tests run in UTC like the server does, whatever zone the machine is in.
process.env.TZ = 'UTC';
