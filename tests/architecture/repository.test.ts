import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { judge, ruleNames } from './src/check.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const verdict = judge(root)

describe('the repository', () => {
  it.each(ruleNames)('%s', (name) => {
    const found = verdict.violations.filter(({ rule }) => rule === name)
    expect(found.map(({ path, says }) => `${path} ${says}`)).toEqual([])
  })

  it('was read: every workspace has files, and their imports were followed', () => {
    const { workspaces } = verdict.tree
    expect(workspaces.filter(({ sources }) => sources.length === 0).map(({ dir }) => dir)).toEqual([])
    expect(workspaces.filter(({ kind }) => kind === 'service').length).toBeGreaterThan(5)
    expect(workspaces.flatMap(({ sources }) => sources).length).toBeGreaterThan(100)
    expect(verdict.edges.length).toBeGreaterThan(300)
  })
})
