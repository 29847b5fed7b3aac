export type RedisKeys = ReturnType<typeof createKeys>

/**
 * Names of keys and channels. Every part is encoded, so that no two things share a name whatever their ids look like.
 * @param scope of the service: cached values and windows are its own, all else is shared by those with the same prefix
 */
export function createKeys(prefix: string, scope: string) {
  const name = (...parts: readonly string[]): string => [prefix, ...parts].map(encode).join(':')
  return {
    cached: (key: string) => name('cache', scope, key),
    /** Windows of another length are other windows, so that a changed length holds at once. */
    window: (key: string, windowMs: number) => name('window', scope, `${windowMs}`, key),
    /** A pattern for the names of all windows, of any length, whose key has this prefix. */
    windowsOf: (start: string) => `${name('window', scope)}:*:${encode(start)}*`,
    /** The prefix of all names of a kind, for granting rights to them. */
    starts: { cached: name('cache', scope, ''), window: name('window', scope, ''), stream: name('stream', '') },
    /** The history of control signals. */
    signals: name('signals'),
    /** Channels know nothing of databases; a key of this name does not exist. */
    hintChannel: (hint: string) => name('signals', 'hint', hint),
    stream: (streamId: string) => name('stream', streamId),
    /** Written to check whether the engine accepts writes. */
    probe: name('probe'),
  }
}

const encode = (part: string): string => encodeURIComponent(part.toWellFormed())
