import type { HierarchyModel } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { faultOf, maxFileBytes, readerOf } from './attachment-rules.ts'

const file = (fields: Partial<File>) => ({ name: 'a.png', type: 'image/png', size: 10, ...fields })

describe('a file is refused', () => {
  it('if its format is not supported, which the refusal names', () => {
    expect(faultOf(file({ name: 'IMG_1.HEIC', type: 'image/heic' }), 0)).toEqual({ type: 'format', format: 'HEIC' })
    expect(faultOf(file({ name: 'noending', type: 'text/plain' }), 0)).toEqual({ type: 'format', format: 'PLAIN' })
    expect(faultOf(file({ name: 'noending', type: '' }), 0)).toEqual({ type: 'format', format: '' })
  })

  it('if it is too large, empty or one too many', () => {
    expect(faultOf(file({ size: maxFileBytes + 1 }), 0)).toEqual({ type: 'size' })
    expect(faultOf(file({ size: maxFileBytes }), 9)).toBeNull()
    expect(faultOf(file({ size: 0 }), 0)).toEqual({ type: 'empty' })
    expect(faultOf(file({}), 10)).toEqual({ type: 'count' })
  })
})

it('the suggested model is the first usable one that can read all files', () => {
  const model = (id: string, images: boolean, files: boolean, locked = false) =>
    ({ id, locked, supportsImageAttachments: images, supportsFileAttachments: files }) as HierarchyModel
  const models = [model('text', false, false), model('locked', true, true, true), model('eyes', true, false)]
  expect(readerOf(models, [{ type: 'image' }])?.id).toBe('eyes')
  expect(readerOf(models, [{ type: 'image' }, { type: 'file' }])).toBeNull()
})
