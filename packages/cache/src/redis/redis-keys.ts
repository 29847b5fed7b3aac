/** Names of keys and channels. Every part is encoded, so that no two things share a name whatever their ids look like. */
export interface RedisKeys {
  cached(key: string): string
  /** Windows of another length are other windows, so that a changed length holds at once. */
  window(key: string, windowMs: number): string
  /** A pattern for the names of all windows, of any length, whose key has this prefix. */
  windowsOf(start: string): string
  /** The prefix of all names of a kind, for granting rights to them. */
  readonly starts: { readonly cached: string; readonly window: string; readonly stream: string }
  /** The history of control signals. */
  readonly signals: string
  /** Channels know nothing of databases; a key of this name does not exist. */
  hintChannel(name: string): string
  stream(streamId: string): string
  /** Written to check whether the engine accepts writes. */
  readonly probe: string
}

/** @param scope of the service: cached values and windows are its own, all else is shared by those with the same prefix */
export function createKeys(prefix: string, scope: string): RedisKeys {
  const name = (...parts: readonly string[]): string => [prefix, ...parts].map(encode).join(':')
  return {
    cached: (key) => name('cache', scope, key),
    window: (key, windowMs) => name('window', scope, `${windowMs}`, key),
    windowsOf: (start) => `${name('window', scope)}:*:${encode(start)}*`,
    starts: { cached: name('cache', scope, ''), window: name('window', scope, ''), stream: name('stream', '') },
    signals: name('signals'),
    hintChannel: (hint) => name('signals', 'hint', hint),
    stream: (streamId) => name('stream', streamId),
    probe: name('probe'),
  }
}

const encode = (part: string): string => encodeURIComponent(part.toWellFormed())
