import type { ImportEvent } from '@parley/contracts'
import { expect, it, vi } from 'vitest'
import { type ImportDeps, ImportFailure, importFile } from './import-call.ts'

const answer = { imported: 2, skipped: 1, chatIds: ['c1'] }
const progress = (done: number): ImportEvent => ({ progress: { done, total: 3 } })
/** The stream of an import; it breaks after its events unless it `ends`. */
const stream = (events: readonly ImportEvent[], ends = true): Response => {
  const wire = [...events.map((event) => JSON.stringify(event)), ...(ends ? ['[DONE]'] : [])]
  return new Response(wire.map((data) => `data: ${data}\n\n`).join(''))
}

/** An import whose attempts get these responses in turn. */
async function given(...answers: (Response | Error)[]) {
  const reported: number[] = []
  const send = vi.fn(async () => {
    const next = answers.shift()
    if (next === undefined || next instanceof Error) throw next ?? new Error('One try too many')
    return next
  })
  const deps: ImportDeps = { send, pause: async () => undefined }
  const result = await importFile(deps, '{}', ({ done }) => reported.push(done)).catch((error: unknown) => error)
  return { result, reported, sent: send.mock.calls.length }
}

it('an import reports its progress, then its result', async () => {
  expect(await given(stream([progress(0), progress(2), answer]))).toEqual({ result: answer, reported: [0, 2], sent: 1 })
})

it('an import whose connection breaks is resumed', async () => {
  const broken = [stream([progress(0)], false), stream([progress(1), { error: 'Away', code: 'unavailable' }])]
  expect(await given(...broken, stream([progress(2), answer]))).toEqual({
    result: answer,
    reported: [0, 1, 2],
    sent: 3,
  })
})

it('an import fails after four broken connections', async () => {
  const { result, sent } = await given(...Array.from({ length: 5 }, () => stream([progress(0)], false)))
  expect([result, sent]).toEqual([expect.any(Error), 4])
})

it('a refusal and a failure of an import are not retried', async () => {
  const refusal = new Error('Not this file')
  expect(await given(refusal)).toMatchObject({ result: refusal, sent: 1 })
  const failed = await given(stream([progress(0), { error: 'Too much in it', code: 'validation_failed' }]))
  expect(failed).toMatchObject({ result: expect.any(ImportFailure), sent: 1 })
  expect(failed.result).toMatchObject({ message: 'Too much in it' })
})
