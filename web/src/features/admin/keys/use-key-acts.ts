import type { AdminApiKey, KeyLimits } from '@parley/contracts'
import { request } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { calls } from '../data/calls.ts'
import { useAct } from '../data/use-act.ts'
import { useAsked } from '../data/use-asked.ts'

/** An action that needs input or confirmation. */
type Question =
  | { readonly type: 'custom'; readonly key: AdminApiKey }
  | { readonly type: 'revoke' | 'reset'; readonly keys: readonly AdminApiKey[] }
  | { readonly type: 'resetAll' }

const remaining = (question: Question, failed: readonly number[]): Question =>
  'keys' in question ? { ...question, keys: question.keys.filter((_, place) => failed.includes(place)) } : question

/** Actions on API keys. */
export function useKeyActs() {
  const { t } = useText()
  const { act, busy } = useAct()
  const { asked, ask, failure, failureReporter } = useAsked(remaining)
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
      {
        done: t(tier === 5 ? 'tiers.custom.set' : 'tiers.updated'),
        failed: t('tiers.updateFailed'),
        undo: true,
        report: failureReporter(),
      },
    )
  const revoke = (keys: readonly AdminApiKey[]) =>
    act(
      keys.map(
        ({ id }) =>
          (requestId: string) =>
            request(calls.revokeKey, { params: { id }, requestId }),
      ),
      { done: t('tiers.revoked'), failed: t('tiers.revokeFailed'), report: failureReporter() },
    )
  const reset = (keys: readonly AdminApiKey[]) =>
    act(
      keys.map(
        ({ id }) =>
          (requestId: string) =>
            request(calls.resetKeyUsage, { params: { id }, requestId }),
      ),
      { done: t('tiers.reset.done'), failed: t('tiers.reset.failed'), report: failureReporter() },
    )
  const resetAll = () =>
    act((requestId) => request(calls.resetAllUsage, { requestId }), {
      done: t('tiers.reset.allDone'),
      failed: t('tiers.reset.failed'),
      report: failureReporter(),
    })
  return { asked, ask, failure, setTier, revoke, reset, resetAll, busy }
}
