import type { AdminApiKey, KeyLimits } from '@parley/contracts'
import { request } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { calls } from '../data/calls.ts'
import { useAct } from '../data/use-act.ts'

/** What can be done with API keys. */
export function useKeyActs() {
  const { t } = useText()
  const { act, busy } = useAct()
  const setTier = (keys: readonly AdminApiKey[], tier: AdminApiKey['tier'], customLimits?: KeyLimits) =>
    act(
      keys.map(
        ({ id, version }) =>
          (requestId: string) =>
            request(calls.updateKey, {
              params: { id },
              body: { tier, version, ...(customLimits && { customLimits }) },
              requestId,
            }),
      ),
      { done: t(tier === 5 ? 'tiers.custom.set' : 'tiers.updated'), failed: t('tiers.updateFailed'), undo: true },
    )
  const revoke = (keys: readonly AdminApiKey[]) =>
    act(
      keys.map(
        ({ id }) =>
          (requestId: string) =>
            request(calls.revokeKey, { params: { id }, requestId }),
      ),
      { done: t('tiers.revoked'), failed: t('tiers.revokeFailed') },
    )
  const reset = (keys: readonly AdminApiKey[]) =>
    act(
      keys.map(
        ({ id }) =>
          (requestId: string) =>
            request(calls.resetKeyUsage, { params: { id }, requestId }),
      ),
      { done: t('tiers.reset.done'), failed: t('tiers.reset.failed') },
    )
  const resetAll = () =>
    act((requestId) => request(calls.resetAllUsage, { requestId }), {
      done: t('tiers.reset.allDone'),
      failed: t('tiers.reset.failed'),
    })
  return { setTier, revoke, reset, resetAll, busy }
}
