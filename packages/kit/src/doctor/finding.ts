export interface Finding {
  /** The thing checked, such as `postgres`. */
  readonly what: string
  /** `wrong` prevents the service from working; `notice` does not. */
  readonly state: 'fine' | 'notice' | 'wrong'
  /** The state that was found. */
  readonly found: string
  /** The remedy. */
  readonly advice?: string
}

const marks = { fine: 'ok   ', notice: 'note ', wrong: 'WRONG' }

/** A line for each finding, with its advice below. */
export const presentFindings = (findings: readonly Finding[]): readonly string[] =>
  findings.flatMap(({ what, state, found, advice }) => [
    `${marks[state]} ${what}: ${found}`,
    ...(advice === undefined ? [] : [`      → ${advice}`]),
  ])

export const exitCodeOf = (findings: readonly Finding[]): number =>
  findings.some(({ state }) => state === 'wrong') ? 1 : 0
