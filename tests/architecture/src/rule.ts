import type { Tree } from './tree.ts'

/** One violation of one rule. */
export interface Violation {
  readonly rule: string
  /** The offending file or folder, relative to the root. */
  readonly path: string
  /** A message that explains the violation. */
  readonly says: string
}

/** A rule checked on the parsed tree. */
export interface TreeRule {
  readonly name: string
  readonly check: (tree: Tree) => Iterable<Omit<Violation, 'rule'>>
}

/** True for files that only tests load: specs, contract suites, and everything under `test/`, `contract/` and `tests/`. */
export const isTestFile = (path: string): boolean =>
  /(^tests\/|^packages\/testing\/|\/(test|contract)\/|\.(test|contract)\.tsx?$|(^|\/)contract\.ts$)/.test(path)
