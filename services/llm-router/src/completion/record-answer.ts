import type { Logger } from '@parley/kit'
import type { AnswerUsage, ModelStore } from '../store/model-store.ts'
import type { Asked } from './ask-models.ts'

export interface RecordDeps {
  readonly store: Pick<ModelStore, 'recordAnswer'>
  readonly log: Logger
}

/** Records that a model answered. Asynchronous and best effort: statistics must neither delay nor fail an answer. */
export function recordAnswer(
  { store, log }: RecordDeps,
  { model, startedAt }: Asked<unknown>,
  usage: AnswerUsage = { inputTokens: 0, outputTokens: 0 },
): void {
  store.recordAnswer(model.id, Math.round(performance.now() - startedAt), usage).catch((error: unknown) => {
    log.warn({ err: error, model: model.id }, 'recording the use of a model failed')
  })
}
