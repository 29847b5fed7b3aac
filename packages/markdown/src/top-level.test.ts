import { expect, it } from 'vitest'
import { topLevelOf } from './top-level.ts'

it.each<[what: string, blocks: string[], level: number]>([
  ['the first heading', ['Some text\n', '### Third\n', '# First\n'], 3],
  ['a heading right behind a line of text', ['Some text\n## Second\n'], 2],
  ['what is a comment in code', ['```sh\n# not a heading\n```\n', '## Second\n'], 2],
  ['no heading at all', ['#tag\n'], 2],
])('the headings of an answer start at the level of %s', (_what, blocks, level) => {
  expect(topLevelOf(blocks)).toBe(level)
})
