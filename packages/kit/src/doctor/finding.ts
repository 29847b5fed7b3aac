/** The result of a check. */
export interface Finding {
  /** The thing checked, such as `postgres`. */
  readonly what: string
  /** `wrong` is in the way of serving; `notice` is not. */
  readonly state: 'fine' | 'notice' | 'wrong'
  /** The state that was found. */
  readonly found: string
  /** The remedy. */
  readonly advice?: string
}

const marks = { fine: 'ok   ', notice: 'note ', wrong: 'WRONG' }

/** One line for each finding, and its advice below it. */
export const presentFindings = (findings: readonly Finding[]): readonly string[] =>
  findings.flatMap(({ what, state, found, advice }) => [
    `${marks[state]} ${what}: ${found}`,
    ...(advice === undefined ? [] : [`      → ${advice}`]),
  ])

/** The code that a doctor ends with. */
export const exitCodeOf = (findings: readonly Finding[]): number =>
  findings.some(({ state }) => state === 'wrong') ? 1 : 0
