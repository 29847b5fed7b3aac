import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../errors/app-error.ts'

type Fields = Readonly<Record<string, unknown>>

/** The differences between two states: of nested objects only the fields that differ. */
export interface Difference {
  readonly before: Fields
  readonly after: Fields
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields in which two states differ, with their values in both. */
export function differenceOf(before: Fields, after: Fields): Difference {
  const [was, is]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}]
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, present] = [before[name], after[name]]
    if (isDeepStrictEqual(old, present)) continue
    const nested = isFields(old) && isFields(present) ? differenceOf(old, present) : { before: old, after: present }
    was[name] = nested.before
    is[name] = nested.after
  }
  return { before: was, after: is }
}

/**
 * Refuses to undo an act whose target is not as the act left it. A field that is missing is as one that is null.
 * @param left the fields that the act changed, as it left them @param current the present state, undefined when there is none any more
 * @throws AppError conflict, with the difference
 */
export function ensureUnchanged(left: Fields, current: Fields | undefined): void {
  if (current === undefined) throw noLongerExists()
  const details = faultsOf(left, current, '')
  if (details.length > 0) throw new AppError('conflict', 'This has changed since.', { details, current })
}

function faultsOf(left: Fields, current: Fields, path: string): { path: string; message: string }[] {
  return Object.entries(left).flatMap(([name, value]) => {
    const present = current[name] ?? null
    if (isFields(value) && isFields(present)) return faultsOf(value, present, `${path}${name}.`)
    if (isDeepStrictEqual(value ?? null, present)) return []
    return [{ path: path + name, message: `Was ${JSON.stringify(value ?? null)}, is now ${JSON.stringify(present)}` }]
  })
}

/** The target of an act that is to be undone is gone. */
export const noLongerExists = (): AppError => new AppError('conflict', 'This no longer exists.', { current: null })

/** An act is undone once. @param current the present state of its target */
export const undoneBefore = (current: unknown): AppError =>
  new AppError('conflict', 'This has already been undone.', { current })

/** Such an act cannot be undone. */
export const notReversible = (): AppError => new AppError('not_reversible', 'This can’t be undone.')

/** The edited thing was changed by another admin or user. @param current its present state */
export const changedMeanwhile = (what: string, current: unknown): AppError =>
  new AppError('conflict', `Someone else has changed ${what} in the meantime.`, { current })
