import type { Readable } from 'node:stream'
import {
  completionLineSchema,
  type Hierarchy,
  modelInternalRoutes,
  modelRoutes,
  type PromptMessage,
  type Usage,
} from '@parley/contracts'
import type { Tools } from '../service/tools.ts'
import { countModelCalls } from './model-calls.ts'
import type { ServiceClient } from './service-client.ts'

const totalMs = 30_000
const mostAnswered = 80_000

export type CheapestModel = ReturnType<typeof createCheapestModel>

export interface CheapestModelDeps extends Pick<Tools, 'metrics' | 'log' | 'newId'> {
  readonly client: ServiceClient
}

/**
 * A short call of a model on the product's own account. Nobody is charged; calls and their tokens are counted in `<prefix>_calls_total` and
 * `<prefix>_tokens_total`.
 * @param purpose completes “Calls of models …”
 */
export function createCheapestModel(
  { client, metrics, log, newId }: CheapestModelDeps,
  { prefix, purpose }: { readonly prefix: string; readonly purpose: string },
) {
  const counts = countModelCalls(metrics, { prefix, purpose })
  const complete = async (model: string, messages: PromptMessage[], stopped?: AbortSignal): Promise<string> => {
    const body = { generationId: `${prefix}-${newId()}`, model, messages, allowLocked: false }
    const late = AbortSignal.timeout(totalMs)
    const signal = stopped === undefined ? late : AbortSignal.any([late, stopped])
    const stream = await client.open(modelInternalRoutes.complete, { body, signal, timeoutMs: totalMs })
    const { text, usage } = await readCompletion(stream)
    counts.used(model, usage)
    return text
  }
  return {
    /**
     * Asks the cheapest model of a provider once. Resolves to what `read` makes of its answer; undefined without a provider, and when the
     * call fails or `read` throws.
     * @throws AppError when the models cannot be listed
     */
    async ask<T>(messages: PromptMessage[], read: (answer: string) => T, signal?: AbortSignal): Promise<T | undefined> {
      const model = cheapestModel(await client.call(modelRoutes.hierarchy))
      if (model === undefined) return undefined
      try {
        const found = readQuietly(read, await complete(model, messages, signal))
        counts.called(model, 'answered')
        return found
      } catch (error) {
        counts.called(model, 'failed')
        log.warn({ err: error, model }, `a model could not be asked ${purpose}`)
        return undefined
      }
    },
  }
}

/** A model's output about a user's text stays out of the log: parsers quote their input in errors. */
function readQuietly<T>(read: (answer: string) => T, answer: string): T {
  try {
    return read(answer)
  } catch {
    throw new Error('The answer is not of the form that was asked for')
  }
}

/** The text model with the lowest price in credits, among those of real providers (not the demo's). */
function cheapestModel({ providers }: Hierarchy): string | undefined {
  const models = providers
    .filter(({ notice }) => notice === null)
    .flatMap(({ groups }) => groups.flatMap((group) => group.models))
    .filter(({ modelType, locked }) => modelType === 'text' && !locked)
  return models.sort((one, other) => one.creditsPerMessage - other.creditsPerMessage)[0]?.id
}

/** @throws Error when the completion fails or is too long */
async function readCompletion(body: Readable): Promise<{ text: string; usage: Usage }> {
  body.setEncoding('utf8')
  let all = ''
  for await (const chunk of body as AsyncIterable<string>) {
    all += chunk
    if (all.length > mostAnswered) throw new RangeError('The answer is too long')
  }
  let text = ''
  for (const line of all.split('\n').filter((each) => each !== '')) {
    const parsed = completionLineSchema.parse(JSON.parse(line))
    if (parsed.type === 'text') text += parsed.text
    if (parsed.type === 'error') throw new Error(parsed.error)
    if (parsed.type === 'end') return { text, usage: parsed.usage }
  }
  throw new Error('The answer has no end')
}
