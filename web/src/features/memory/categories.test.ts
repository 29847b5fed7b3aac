import {
  maxMemoryLength,
  maxOwnPatterns,
  maxPatternLength,
  memoryCategories,
  memoryConfidences,
} from '@parley/contracts'
import { expect, it } from 'vitest'
import * as own from './categories.ts'

it('categories, confidences and bounds of memories match the contract', () => {
  expect(own.categories).toEqual(memoryCategories)
  expect(own.confidences).toEqual(memoryConfidences)
  expect([own.maxMemoryLength, own.maxOwnPatterns, own.maxPatternLength]).toEqual([
    maxMemoryLength,
    maxOwnPatterns,
    maxPatternLength,
  ])
})
