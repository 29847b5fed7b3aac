import { expect, it } from 'vitest'
import { createPromptMemory } from './prompt-memory.ts'

const refusal = expect.objectContaining({ code: 'unavailable' })

it('files of prompts are refused beyond the bound of their owner, until an answer of the owner ends', () => {
  const memory = createPromptMemory({ all: 100, owner: 10 })
  const first = memory.hold('ann')
  first.add(4)
  first.add(4)
  expect(() => memory.hold('ann').add(3)).toThrow(refusal)
  memory.hold('ann').add(2)
  memory.hold('bob').add(10)
  first.release()
  first.release()
  expect(() => memory.hold('ann').add(9)).toThrow(refusal)
  memory.hold('ann').add(8)
})

it('files of prompts are refused beyond the bound of all owners', () => {
  const memory = createPromptMemory({ all: 15, owner: 10 })
  const first = memory.hold('ann')
  first.add(10)
  expect(() => memory.hold('bob').add(6)).toThrow(refusal)
  first.release()
  memory.hold('bob').add(6)
})

it('a prompt that is built after its answer has ended holds nothing', () => {
  const memory = createPromptMemory({ all: 10, owner: 10 })
  const late = memory.hold('ann')
  late.release()
  late.add(10)
  memory.hold('bob').add(10)
})
