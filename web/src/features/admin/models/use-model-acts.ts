import type { Model } from '@parley/contracts'
import { isApiError, request } from '../../../shared/api/index.ts'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import { calls } from '../data/calls.ts'
import { failureText } from '../data/failure-text.ts'
import { useAct } from '../data/use-act.ts'
import { useAsked } from '../data/use-asked.ts'
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
  (failed: string) =>
  (error: unknown, t: Translate): string =>
    isGone(error) ? t('registry.gone') : failureText(error, failed, t)

/** Actions on models in the list. */
export function useModelActs() {
  const { t } = useText()
  const { act, busy } = useAct()
  const { asked, ask, failure, failureReporter } = useAsked<Question>()
  const toggle = (models: readonly Model[], enabled: boolean) => {
    const failed = t(models.length === 1 ? 'registry.toggleFailed' : 'registry.accessFailed')
    return act(
      models.map(
        ({ id }) =>
          (requestId: string) =>
            request(calls.updateModel, { params: { id }, body: { enabled }, requestId }),
      ),
      {
        done: t('registry.toggled', { count: models.length }),
        failed,
        explain: modelFailure(failed),
        undo: true,
      },
    )
  }
  /** Switches all models, or those of a provider, as one action. */
  const toggleAll = (count: number, enabled: boolean, provider?: Provider) =>
    act((requestId) => request(calls.toggleModels, { body: { enabled, ...(provider && { provider }) }, requestId }), {
      done: t('registry.toggled', { count }),
      failed: t(provider ? 'registry.toggleProviderFailed' : 'registry.toggleAllFailed'),
      undo: true,
      report: failureReporter(),
    })
  const remove = (model: Model) =>
    act((requestId) => request(calls.removeModel, { params: { id: model.id }, requestId }), {
      done: t('registry.removed'),
      failed: t('registry.removeFailed'),
      explain: (error) =>
        isGone(error) ? t('registry.removeGone') : failureText(error, t('registry.removeFailed'), t),
      report: failureReporter(),
    })
  return { asked, ask, failure, toggle, toggleAll, remove, busy }
}
