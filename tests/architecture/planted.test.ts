import { describe, expect, it } from 'vitest'
import { judge, ruleNames } from './src/check.ts'
import { plantedCases } from './src/planted-cases.ts'
import { plantTree } from './src/planted-tree.ts'

describe('a small valid repository', () => {
  it('breaks no rule', () => {
    using tree = plantTree()
    const { violations, edges } = judge(tree.root)
    expect(violations).toEqual([])
    expect(edges.filter(({ from }) => from === 'services/alpha/src/manifest.ts')).toHaveLength(3)
  })
})

describe('a migration that removes something', () => {
  it('is allowed after a comment with the version that left it unused', () => {
    const sql = '-- contracts 0.3.0: sizes are counted since.\nalter table things\n  drop column size;\n'
    using tree = plantTree({ 'services/alpha/migrations/002.sql': sql })
    expect(judge(tree.root).violations).toEqual([])
  })
})

describe('a planted violation', () => {
  it.each(plantedCases)('$rule: $planted', ({ rule, plan, at }) => {
    using tree = plantTree(plan)
    const { violations } = judge(tree.root)
    const expected = { rule, path: at }
    expect(violations.map(({ rule, path }) => ({ rule, path }))).toContainEqual(expected)
  })

  it('exists for every rule', () => {
    const tried = new Set(plantedCases.map(({ rule }) => rule))
    expect(ruleNames.filter((name) => !tried.has(name))).toEqual([])
  })
})
