import type { Signal } from '@parley/cache'
import type { SignalName, SignalPayload } from '@parley/contracts'
import type { Logger } from '@parley/kit'

export type Signals = ReturnType<typeof createSignals>

/** Tell every replica of a change, and never reject: what a lost signal tells is noticed when copies expire or are read again. */
export const createSignals = (signal: Signal, log: Logger) => {
  const publish = <Name extends SignalName>(name: Name, payload: SignalPayload<Name>): Promise<void> =>
    signal.publish(name, payload).catch((error: unknown) => {
      log.warn({ err: error, signal: name, payload }, 'a change could not be signalled')
    })
  return {
    /** Rights, ban or sessions of a user changed. */
    signalPrincipalChanged: (userId: string) => publish('principal-changed', { userId }),
    signalSettingsChanged: (version: number) => publish('settings-changed', { version }),
    /** An act is in the audit log, for other admins. */
    signalAdminActed: () => publish('admin-acted', {}),
  }
}
