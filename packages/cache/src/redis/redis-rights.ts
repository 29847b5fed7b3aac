import { createKeys } from './redis-keys.ts'

/** The parts a service uses beyond signals, its own cache and its own counters. */
export interface RedisUses {
  /** Logs of running answers and imports. */
  readonly streams?: boolean
  /** Windows that another service counts and this one looks at: how their keys begin. Versions before 7 know no right to read alone. */
  readonly windowsOf?: readonly { readonly scope: string; readonly start: string }[]
}

/** The commands of the four ports, including those that their scripts call. None lists keys that the caller does not know. */
const commands = [
  ...['ping', 'info', 'select', 'client|setname', 'client|id', 'client|unblock'],
  // The version before reads by `xrange`.
  ...['eval', 'evalsha', 'get', 'set', 'del', 'incr', 'pexpire', 'pttl', 'xadd', 'xrange', 'xread', 'xrevrange'],
  ...['publish', 'subscribe', 'unsubscribe'],
]

/**
 * The rules of Redis's access control list for one service's user: its own keys, those that all share, and the commands for them. Written after
 * `resetkeys resetchannels -@all`.
 * @param scope of the service, as for `openRedisEngine`
 */
export function redisRights(
  prefix: string,
  scope: string,
  { streams = false, windowsOf = [] }: RedisUses = {},
): string {
  const { starts, probe, signals } = createKeys(prefix, scope)
  const keys = [starts.cached, starts.window, signals, ...(streams ? [starts.stream] : [])].map((start) => `${start}*`)
  const others = windowsOf.map((windows) => createKeys(prefix, windows.scope).windowsOf(windows.start))
  // The previous version publishes its entries, in one step with appending them.
  const channels = [signals, ...(streams ? [starts.stream] : [])].map((start) => `${start}*`)
  return [
    ...[probe, ...keys, ...others].map((pattern) => `~${pattern}`),
    ...channels.map((pattern) => `&${pattern}`),
    ...commands.map((command) => `+${command}`),
  ].join(' ')
}
