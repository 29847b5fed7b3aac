/** A whole Parley of either kind. */
export interface System {
  readonly url: string
  readonly inboxUrl: string
  readonly admin: { readonly username: string; readonly password: string }
  readonly dataDir: string
  /** Stops it as Ctrl-C would and resolves to its exit code; the data are kept. */
  stop(): Promise<number | null>
  /** Kills it, as a power cut would; the data are kept. */
  kill(): Promise<void>
  /** Stops it and removes its data. */
  dispose(): Promise<void>
}

/** Options for starting a system. */
export interface SystemOptions {
  /** Base URL of the provider that acts as DeepSeek; the demo answers without it. */
  readonly provider?: string
  /** Data directory of an earlier system, to restart on its data. */
  readonly dataDir?: string
  /** Additional variables; `PORT` is the public port. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Password of the first admin in every system. */
export const adminPassword = 'a long first password'

/** The system under test: one process on embedded engines, or every service as two processes on real engines. */
export type SystemKind = 'all-in-one' | 'split'

/** `E2E_SYSTEM`; all-in-one by default. @throws Error on any other name */
export function systemKind(): SystemKind {
  const kind = process.env.E2E_SYSTEM || 'all-in-one'
  if (kind !== 'all-in-one' && kind !== 'split') throw new Error('E2E_SYSTEM: must be all-in-one or split')
  return kind
}
