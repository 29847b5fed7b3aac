import { coverage } from './evidence/index.ts'
import { openTests, type TestName } from './judge.ts'
import { type RequirementId, requirements } from './requirements.ts'

/** Where the table lies, from the root. */
export const tablePath = 'tests/spec-coverage.md'

/**
 * The table of promises and the tests that show them, as Markdown.
 * @throws Error when a test is named that is not there
 */
export function tableOf(root: string): string {
  const find = openTests(root)
  const row = ([id, promise]: [string, string]): string => {
    const names = coverage[id as RequirementId]
    return `| ${cell(promise)} | ${names.map((name) => cell(shown(find, name))).join('<br>')} |`
  }
  const sections = Object.entries(requirements).map(([title, promises]) =>
    [`## ${title}`, '', '| promise | tests |', '|---|---|', ...Object.entries(promises).map(row)].join('\n'),
  )
  return `${[intro, ...sections].join('\n\n')}\n`
}

const intro = `# What the product promises, and the tests that show it

Written by \`node tests/spec/src/write.ts\` from \`tests/spec/src\`; do not edit it here. It fails its test when a promise has none.`

function shown(find: ReturnType<typeof openTests>, name: TestName): string {
  const test = find(name)
  if (typeof test === 'string') throw new Error(test)
  return `\`${test.file}\` ${[...test.within, test.title].join(' › ')}`
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
