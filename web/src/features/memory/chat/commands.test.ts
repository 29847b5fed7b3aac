import type { Memory } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { decideForget } from './commands.ts'

const memory = (id: string, text: string): Memory => ({
  id,
  text,
  category: 'general',
  confidence: 'high',
  status: 'stored',
  createdAt: '2030-01-01T00:00:00Z',
  updatedAt: '2030-01-01T00:00:00Z',
  lastUsedAt: null,
})

describe('the command /forget', () => {
  it('does nothing if no memory was found', () => {
    expect(decideForget('tea', [])).toEqual({ type: 'none' })
  })

  it('removes the only memory found', () => {
    const tea = memory('1', 'I drink green tea')
    expect(decideForget('tea', [tea])).toEqual({ type: 'one', memory: tea })
  })

  it('lets the user choose among several memories', () => {
    expect(decideForget('tea', [memory('1', 'I drink green tea'), memory('2', 'No tea after five')])).toEqual({
      type: 'many',
    })
  })

  it('removes the memory that matches exactly, in any case', () => {
    const tea = memory('1', 'I drink tea')
    expect(decideForget(' i drink TEA ', [memory('2', 'I drink tea at five'), tea])).toEqual({
      type: 'one',
      memory: tea,
    })
  })
})
