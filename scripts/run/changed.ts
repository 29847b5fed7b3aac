import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Runs git and returns its output by line. @throws Error with git's message */
function git(...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`)
  return stdout.split('\n').filter(Boolean)
}

/**
 * Files that differ from a commit, relative to the repository, including untracked ones, without removed ones.
 * @param since a commit; by default the last one, or the one before it if nothing has changed since
 * @throws Error if there is no such commit
 */
export function changedFiles(since?: string): string[] {
  const differing = (commit: string): string[] => [
    ...git('diff', '--name-only', '--diff-filter=d', commit, '--'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  if (since !== undefined) return differing(since)
  const uncommitted = differing('HEAD')
  return uncommitted.length > 0 ? uncommitted : differing('HEAD~1')
}

/** The reach of a change. */
export interface Reach {
  /** Sources whose importers must be tested. */
  readonly sources: readonly string[]
  /** Whether the change is visible in a browser. */
  readonly visible: boolean
}

const isCode = (file: string): boolean => /\.(tsx?|mjs)$/.test(file)
const isText = (file: string): boolean => /\.md$|(^|\/)(LICENSE|NOTICE)$/.test(file)
/** `services/chat` of `services/chat/migrations/0001.sql`; undefined outside the workspaces. */
const workspaceOf = (file: string): string | undefined =>
  /^(?:packages|services|tools)\/[^/]+(?=\/)|^web(?=\/)/.exec(file)?.[0]

/**
 * Determines what a change can break. A file other than a module (a migration, a manifest) counts as all code of its workspace, since nothing imports
 * it by name.
 * @param tracked every file of the repository
 */
export function reachOf(changed: readonly string[], tracked: readonly string[]): Reach {
  const others = changed.filter((file) => !isCode(file) && !isText(file))
  const whole = new Set(others.map(workspaceOf).filter((workspace) => workspace !== undefined))
  const standIns = tracked.filter((file) => isCode(file) && whole.has(workspaceOf(file) ?? ''))
  return {
    sources: [...new Set([...changed.filter(isCode), ...standIns])],
    visible: changed.some((file) => workspaceOf(file) !== undefined && !isText(file) && !/\.test\.tsx?$/.test(file)),
  }
}

/** All files tracked by git. */
export const trackedFiles = (): string[] => git('ls-files')
