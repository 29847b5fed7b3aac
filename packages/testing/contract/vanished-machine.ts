/** The settings by which the server drops the connection of a machine that vanished within 5 s: the last one also while something sent to it is unacknowledged. */
export const vanishedMachine = {
  tcp_keepalives_idle: '2',
  tcp_keepalives_interval: '1',
  tcp_keepalives_count: '2',
  tcp_user_timeout: '5000',
}

/** A subquery for those settings of its connection, as an object. */
export const settingsInEffect = `(
  select jsonb_object_agg(name, current_setting(name))
  from unnest(array[${Object.keys(vanishedMachine).map((name) => `'${name}'`)}]) as name
)`

/** The same database by TCP: a Unix socket has no such settings. */
export function byTcp(url: string): string {
  const address = new URL(url)
  address.searchParams.delete('host')
  return address.href
}
