/** Where a log ends so far. */
export interface LogEnd {
  readonly lastSeq: number
  readonly closed: boolean
}

/** Reads the number of a log's last row; undefined when there is no log. */
export function parseEnd(rowNumber: string): LogEnd | undefined {
  if (rowNumber === '') return undefined
  const [lastSeq = 0, mark] = rowNumber.split('-').map(Number)
  return { lastSeq, closed: mark === 1 }
}
