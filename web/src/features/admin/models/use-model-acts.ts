import type { Model } from '@parley/contracts'
import { isApiError, request } from '../../../shared/api/index.ts'
import type { Wording } from '../../../shared/i18n/index.ts'
import { calls } from '../data/calls.ts'
import { failureText } from '../data/failure-text.ts'
import { useAct } from '../data/use-act.ts'
import type { Provider } from './model-values.ts'

/** An action that needs confirmation: deleting a model, or switching all models or those of a provider. */
type Question =
  | { readonly type: 'delete'; readonly model: Model }
  | {
      readonly type: 'toggle'
      readonly enabled: boolean
      readonly provider: Provider | undefined
      readonly count: number
    }

const isGone = (error: unknown): boolean => isApiError(error) && error.status === 404

/** Why an action on a model failed, with a hint if the model was deleted. */
export const modelFailure =
  (failed: Wording) =>
  (error: unknown): Wording =>
  (now) =>
    isGone(error) ? now('registry.gone') : failureText(error, failed(now), now)

export function useModelActs() {
  const { act, actOnEach, ...dialog } = useAct<Question>()
  const toggle = (models: readonly Model[], enabled: boolean) => {
    const failed: Wording = (now) => now(models.length === 1 ? 'registry.toggleFailed' : 'registry.accessFailed')
    const update = ({ id }: Model, requestId: string) =>
      request(calls.updateModel, { params: { id }, body: { enabled }, requestId })
    const done: Wording = (now) => now('registry.toggled', { count: models.length })
    return actOnEach(models, update, { done, failed, explain: modelFailure(failed), undo: true })
  }
  /** Switches all models, or those of a provider, as one action. */
  const toggleAll = (count: number, enabled: boolean, provider?: Provider) =>
    act((requestId) => request(calls.toggleModels, { body: { enabled, ...(provider && { provider }) }, requestId }), {
      done: (now) => now('registry.toggled', { count }),
      failed: (now) => now(provider ? 'registry.toggleProviderFailed' : 'registry.toggleAllFailed'),
      undo: true,
    })
  const remove = (model: Model) =>
    act((requestId) => request(calls.removeModel, { params: { id: model.id }, requestId }), {
      done: (now) => now('registry.removed'),
      failed: (now) => now('registry.removeFailed'),
      explain: (error) => (now) =>
        isGone(error) ? now('registry.removeGone') : failureText(error, now('registry.removeFailed'), now),
    })
  return { ...dialog, toggle, toggleAll, remove }
}
