import { splitBlocks } from '@parley/markdown'
import { describe, expect, it } from 'vitest'
import { createBlockRenderer } from './block-renderer.ts'

describe('createBlockRenderer', () => {
  it('parses each finished block once, however many pieces the answer arrives in', () => {
    const parsed: string[] = []
    const draw = createBlockRenderer((block) => {
      parsed.push(block)
      return { block }
    })
    const text = Array.from({ length: 50 }, (_, index) => `Paragraph ${index}`).join('\n\n')
    for (let length = 1; length <= text.length; length += 1) draw(splitBlocks(text.slice(0, length)))
    expect(parsed.filter((block) => block === 'Paragraph 7')).toHaveLength(1)
    expect(parsed.length).toBeLessThanOrEqual(text.length)
  })

  it('gives back the same object for an unchanged block', () => {
    const draw = createBlockRenderer((block) => ({ block }))
    const [first] = draw(splitBlocks('a\n\nb'))
    expect(draw(splitBlocks('a\n\nbc'))[0]).toBe(first)
  })

  it('draws a block again when its fence closes', () => {
    const open: boolean[] = []
    const draw = createBlockRenderer((_block, isOpen) => open.push(isOpen))
    draw({ blocks: ['```\nx'], fenceOpen: true })
    draw({ blocks: ['```\nx'], fenceOpen: false })
    expect(open).toEqual([true, false])
  })
})
