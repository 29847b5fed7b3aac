import { builtInSystemPrompt, type Model, type modelAdminRoutes } from '@parley/contracts'
import { AppError, notFound } from '@parley/kit'
import type { z } from 'zod'
import type { Adapter, Prompt, Target } from './adapters/adapter.ts'
import { type AdminDeps, draftModel } from './admin.ts'
import { type Attempt, startAttempt } from './completion/attempt.ts'
import { readFailure, timedOut, unconfigured } from './completion/failure.ts'
import type { Timeouts } from './completion/timeouts.ts'

export interface TestModelDeps extends AdminDeps {
  readonly adapterOf: (model: Model) => Adapter
  readonly targetOf: (model: Model) => Target | undefined
  readonly timeouts: Timeouts
}

type TestBody = z.output<typeof modelAdminRoutes.test.body & z.ZodType>
type TestResult = z.input<typeof modelAdminRoutes.test.answer & z.ZodType>

/** Asks for one word or, in a trial, the admin's question. */
const promptOf = (trial: TestBody['trial']): Prompt =>
  trial === undefined
    ? { messages: [{ role: 'user', content: 'Answer with the word OK.' }], tools: [], options: { maxTokens: 16 } }
    : {
        messages: [
          { role: 'system', content: trial.systemPrompt.trim() === '' ? builtInSystemPrompt : trial.systemPrompt },
          { role: 'user', content: trial.question },
        ],
        tools: [],
        options: { maxTokens: 300 },
      }

/**
 * Calls a model once, bypassing its limits, circuit breaker and fallbacks, and records nothing.
 * @throws AppError not_found; invalid_model_data for a draft that could not be saved; validation_failed for an image model
 */
export async function testModel(deps: TestModelDeps, { id, model: draft, trial }: TestBody): Promise<TestResult> {
  const model = draft === undefined ? await deps.store.find(id ?? '') : await draftModel(deps, draft)
  if (model === undefined) throw notFound('Model not found')
  if (model.modelType !== 'text') throw new AppError('validation_failed', 'Only text models can be tested')
  const startedAt = performance.now()
  const latency = () => ({ latencyMs: Math.round(performance.now() - startedAt) })
  try {
    const text = await callOnce(deps, model, promptOf(trial), startedAt + deps.timeouts.firstToken)
    return { ok: true, text, ...latency() }
  } catch (error) {
    const { message, reason, status } = readFailure(error)
    return { ok: false, error: `${message} (${reason})`, ...(status !== undefined && { status }), ...latency() }
  }
}

/** @throws ProviderFailure when no complete answer arrived by `deadline` (of `performance.now()`) */
async function callOnce(
  { adapterOf, targetOf }: TestModelDeps,
  model: Model,
  prompt: Prompt,
  deadline: number,
): Promise<string> {
  const target = targetOf(model)
  if (target === undefined) throw unconfigured()
  const attempt = startAttempt(adapterOf(model)(target, prompt), new AbortController().signal)
  try {
    return await readText(attempt, deadline)
  } finally {
    attempt.cancel()
  }
}

async function readText(attempt: Attempt, deadline: number): Promise<string> {
  let text = ''
  for (;;) {
    const left = deadline - performance.now()
    if (left <= 0) throw timedOut('whole answer')
    const events = await attempt.next(left, 'whole answer')
    if (events === undefined) return text
    for (const event of events) if (event.type === 'text') text += event.text
  }
}
