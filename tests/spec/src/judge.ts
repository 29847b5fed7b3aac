import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestTitle, testTitlesOf } from './test-titles.ts'

/** A test as `evidence/` names it: the file relative to the root, and the title in its source. */
export type TestName = `${string}.test.ts › ${string}`

/** The tests of each requirement. */
export type Coverage<Id extends string> = Readonly<Record<Id, readonly TestName[]>>

/** A named test that exists. */
export interface NamedTest extends TestTitle {
  readonly file: string
}

/** Looks up named tests in the repository; reads each file once. */
export function openTests(root: string) {
  const files = new Map<string, readonly TestTitle[]>()
  const titlesOf = (file: string): readonly TestTitle[] => {
    const known = files.get(file)
    if (known) return known
    const titles = testTitlesOf(readFileSync(join(root, file), 'utf8'))
    files.set(file, titles)
    return titles
  }
  /** Returns the test, or the fault in its name. */
  return (name: TestName): NamedTest | string => {
    const [file = '', title = ''] = splitName(name)
    if (!existsSync(join(root, file))) return `there is no file ${file}`
    const [test, another] = titlesOf(file).filter((one) => one.title === title)
    if (test === undefined) return `${file} has no test “${title}”`
    if (another !== undefined) return `${file} has several tests “${title}”`
    return test.runs ? { ...test, file } : `“${title}” in ${file} does not always run`
  }
}

const separator = ' › '
const splitName = (name: TestName): [string, string] => {
  const at = name.indexOf(separator)
  return [name.slice(0, at), name.slice(at + separator.length)]
}

/** All faults in the coverage; empty if every requirement is covered. */
export function faultsOf(root: string, coverage: Coverage<string>): string[] {
  const find = openTests(root)
  return Object.entries(coverage).flatMap(([id, names]) => {
    if (names.length === 0) return [`${id}: no test`]
    return names.flatMap((name) => {
      const test = find(name)
      return typeof test === 'string' ? [`${id}: ${test}`] : []
    })
  })
}
