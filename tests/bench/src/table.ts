/** One line of the result: a goal of the performance goals, what was measured and what it may be. */
export interface Row {
  readonly id: string
  readonly goal: string
  readonly measured: string
  readonly limit: string
  /** Undefined where the row is recorded and not judged. */
  readonly met: boolean | undefined
}

/** A Markdown table. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ id, goal, measured, limit, met }) => {
    const verdict = met === undefined ? 'recorded' : met ? 'met' : '**missed**'
    return `| ${id} | ${goal} | ${measured} | ${limit} | ${verdict} |`
  })
  return ['| # | goal | measured: median (least–greatest) | limit | |', '|---|---|---|---|---|', ...lines].join('\n')
}
