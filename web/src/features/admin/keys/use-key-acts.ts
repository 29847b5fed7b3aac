import type { AdminApiKey, KeyLimits } from '@parley/contracts'
import { request } from '../../../shared/api/index.ts'
import { calls } from '../data/calls.ts'
import { useAct } from '../data/use-act.ts'

/** An action that needs input or confirmation. */
type Question =
  | { readonly type: 'custom'; readonly key: AdminApiKey }
  | { readonly type: 'revoke' | 'reset'; readonly keys: readonly AdminApiKey[] }
  | { readonly type: 'resetAll' }

const remaining = (question: Question, failed: readonly number[]): Question =>
  'keys' in question ? { ...question, keys: question.keys.filter((_, place) => failed.includes(place)) } : question

export function useKeyActs() {
  const { act, actOnEach, ...dialog } = useAct(remaining)
  const setTier = (keys: readonly AdminApiKey[], tier: AdminApiKey['tier'], customLimits?: KeyLimits) =>
    actOnEach(
      keys,
      ({ id, version }, requestId) =>
        request(calls.updateKey, {
          params: { id },
          body: { tier, version, ...(customLimits && { customLimits }) },
          requestId,
        }),
      {
        done: (now) => now(tier === 5 ? 'tiers.custom.set' : 'tiers.updated'),
        failed: (now) => now('tiers.updateFailed'),
        undo: true,
      },
    )
  const revoke = (keys: readonly AdminApiKey[]) =>
    actOnEach(keys, ({ id }, requestId) => request(calls.revokeKey, { params: { id }, requestId }), {
      done: (now) => now('tiers.revoked'),
      failed: (now) => now('tiers.revokeFailed'),
    })
  const reset = (keys: readonly AdminApiKey[]) =>
    actOnEach(keys, ({ id }, requestId) => request(calls.resetKeyUsage, { params: { id }, requestId }), {
      done: (now) => now('tiers.reset.done'),
      failed: (now) => now('tiers.reset.failed'),
    })
  const resetAll = () =>
    act((requestId) => request(calls.resetAllUsage, { requestId }), {
      done: (now) => now('tiers.reset.allDone'),
      failed: (now) => now('tiers.reset.failed'),
    })
  return { ...dialog, setTier, revoke, reset, resetAll }
}
