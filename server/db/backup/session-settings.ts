const settings = {
  // A large table takes long, and a slow disk may pause it.
  statement_timeout: "0",
  lock_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  // The same text for the same value on every server.
  client_encoding: "UTF8",
  datestyle: "ISO, YMD",
  intervalstyle: "postgres",
  timezone: "UTC",
  extra_float_digits: "3",
  bytea_output: "hex",
};

/** Statements that set what copying needs, whatever the server and the role have by default. */
export const sessionSettings = [
  ...Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`),
  // From PostgreSQL 17 on.
  "select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'",
].join("; ");
