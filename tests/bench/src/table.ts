/** One row of the results: a performance goal, the measured value and the bound. */
export interface Row {
  readonly id: string
  readonly goal: string
  readonly measured: string
  readonly limit: string
  /** Undefined for a row without a bound. */
  readonly met: boolean | undefined
}

/** The first lines of a Markdown table of rows. */
export const tableHead = '| # | goal | measured: median (least–greatest) | limit | |\n|---|---|---|---|---|'

/** Renders one line of it. */
export function tableLine({ id, goal, measured, limit, met }: Row): string {
  const verdict = met === undefined ? 'recorded' : met ? 'met' : '**missed**'
  return `| ${id} | ${goal} | ${measured} | ${limit} | ${verdict} |`
}
