import { expect, it } from 'vitest'
import { createEventMapper } from './event-mapper.ts'

const answer = { chatId: 'c1', messageId: 'm1' }
const at = new Date('2026-01-01T00:00:00Z')

it.each([
  ['has succeeded', { tool_call_result: { result: 1, resultNormalized: '1' } }, { status: 'completed', result: 1 }],
  ['has failed', { tool_call_error: { error: 'No' } }, { status: 'error', error: 'No' }],
])('a tool’s call is sent in full when it %s, also if its start is unknown', (_how, event, outcome) => {
  const [[name, fields] = ['', {}]] = Object.entries(event)
  const line = JSON.stringify({ [name]: { toolCallId: 't1', toolName: 'clock', ...fields } })
  const start = { toolCallId: 't1', toolName: 'clock', parameters: { zone: 'UTC' } }
  for (const [began, parameters] of [
    [[], {}],
    [[JSON.stringify({ tool_call_start: start })], start.parameters],
  ] as const) {
    const sent: unknown[] = []
    const mapper = createEventMapper(answer, () => at)
    for (const [index, each] of [...began, line].entries())
      mapper.map(index + 1, each)?.({ emit: (...emitted) => void sent.push(emitted) })
    const toolCall = { toolCallId: 't1', toolName: 'clock', parameters, timestamp: at.toISOString(), ...outcome }
    expect(sent.at(-1)).toMatchObject(['stream:tool', { ...answer, seq: began.length + 1, toolCall }])
  }
})
