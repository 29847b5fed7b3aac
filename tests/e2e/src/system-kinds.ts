/** A whole Parley, whatever it is made of. */
export interface System {
  readonly url: string
  readonly inboxUrl: string
  readonly admin: { readonly username: string; readonly password: string }
  readonly dataDir: string
  /** Ends it as Ctrl-C would and resolves to its exit code; the data are kept. */
  stop(): Promise<number | null>
  /** Ends it at once, as a power cut would; the data are kept. */
  kill(): Promise<void>
  /** Ends it and removes its data. */
  dispose(): Promise<void>
}

/** What a system is started with. */
export interface SystemOptions {
  /** Base URL of the provider that answers as DeepSeek; without it the demo answers. */
  readonly provider?: string
  /** Of an earlier system, to start again on its data. */
  readonly dataDir?: string
  /** Further variables; `PORT` is where people reach it. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Of the first admin of every system. */
export const adminPassword = 'a long first password'

/** What the specs run on: one process on embedded engines, or every service as two processes on real engines. */
export type SystemKind = 'all-in-one' | 'split'

/** `E2E_SYSTEM`; all-in-one by default. @throws Error on any other name */
export function systemKind(): SystemKind {
  const kind = process.env.E2E_SYSTEM || 'all-in-one'
  if (kind !== 'all-in-one' && kind !== 'split') throw new Error('E2E_SYSTEM: must be all-in-one or split')
  return kind
}
