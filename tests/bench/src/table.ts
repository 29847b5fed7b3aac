/** One row of the results: a performance goal, the measured value and the bound. */
export interface Row {
  readonly id: string
  readonly goal: string
  readonly measured: string
  readonly limit: string
  /** Undefined for a row without a bound. */
  readonly met: boolean | undefined
}

/** Renders a Markdown table. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ id, goal, measured, limit, met }) => {
    const verdict = met === undefined ? 'recorded' : met ? 'met' : '**missed**'
    return `| ${id} | ${goal} | ${measured} | ${limit} | ${verdict} |`
  })
  return ['| # | goal | measured: median (least–greatest) | limit | |', '|---|---|---|---|---|', ...lines].join('\n')
}
