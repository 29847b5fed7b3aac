import { AppError, isAppError, notFound } from '@parley/kit'
import type { Target } from '../adapters/adapter.ts'
import { postJson } from '../adapters/post-json.ts'
import { estimateTokens } from '../api/token-estimate.ts'
import { type Asked, type AskModelsDeps, askModels, type BuildCall } from '../completion/ask-models.ts'
import { answering, type CandidatesDeps, takeModel } from '../completion/candidates.ts'
import { noVectors, readFailure, toAppError } from '../completion/failure.ts'
import { type RecordDeps, recordAnswer } from '../completion/record-answer.ts'
import { within } from '../completion/within.ts'
import { readLimited } from '../images/read-limited.ts'
import type { Providers } from '../providers.ts'
import { chooseEmbedder } from './choose-embedder.ts'
import { readVectors, type Vectors } from './read-vectors.ts'

export interface EmbedDeps extends AskModelsDeps, CandidatesDeps, RecordDeps {
  readonly providers: Providers
}

/** Some thousand numbers for each text of a call, as JSON. */
const maxAnswerBytes = 16 * 1024 * 1024

/**
 * Embeds texts with the chosen model, without fallback: vectors of different models cannot be compared.
 * @param left aborts when the caller has left
 * @throws AppError not_found without such a model, validation_failed when its provider refuses the texts, rate_limited, provider_error or provider_timeout
 */
export async function embedTexts(
  deps: EmbedDeps,
  texts: readonly string[],
  left: AbortSignal,
): Promise<Asked<Vectors & { readonly inputTokens: number }>> {
  const chosen = chooseEmbedder(await deps.registry.models(), deps.providers)
  if (chosen === undefined) throw notFound('Model not found')
  const estimated = estimateTokens(texts)
  const request = { model: chosen.id, allowLocked: false }
  const { model, reservation } = await takeModel(deps, request, 'embedding', () => estimated)
  let used = 0
  try {
    const limits = { withinMs: deps.timeouts.firstToken, signal: left }
    const build: BuildCall<Vectors> = (target) => (deadline) =>
      within({ deadline, left, which: 'embeddings' }, (signal) => askOnce(target, texts, signal))
    const asked = await askModels(deps, answering(deps, model, reservation.take), limits, async () => build)
    used = asked.answer.inputTokens ?? estimated
    recordAnswer(deps, asked, { inputTokens: used, outputTokens: 0 })
    return { ...asked, answer: { ...asked.answer, inputTokens: used } }
  } catch (error) {
    if (isAppError(error)) throw error
    const failure = readFailure(error)
    throw failure.isRefusal ? new AppError('validation_failed', failure.message) : toAppError(failure)
  } finally {
    await reservation.settle(used)
  }
}

async function askOnce(target: Target, texts: readonly string[], signal: AbortSignal): Promise<Vectors> {
  const body = { model: target.apiModelName, input: texts }
  const answer = await postJson(target, 'embeddings', { body, accept: 'application/json', signal })
  try {
    const read = await readLimited(answer.body, maxAnswerBytes)
    return readVectors(JSON.parse(read.toString()), texts.length)
  } catch (error) {
    if (signal.aborted) throw error
    // Not retried: the provider has done its work, and a retry would be charged as well.
    throw noVectors()
  }
}
