/** Which rows are selected, and from where Shift extends. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly anchor: string | null
}

export const noSelection: Selection = { ids: new Set(), anchor: null }

/** Selects a row, or takes it out. With `range` everything from the anchor to it is selected, whatever came before outside of that. */
export function selectRow(before: Selection, rows: readonly string[], id: string, range: boolean): Selection {
  const from = before.anchor === null ? -1 : rows.indexOf(before.anchor)
  const to = rows.indexOf(id)
  if (range && from >= 0 && to >= 0) {
    const between = rows.slice(Math.min(from, to), Math.max(from, to) + 1)
    return { ids: new Set([...before.ids, ...between]), anchor: before.anchor }
  }
  const ids = new Set(before.ids)
  if (!ids.delete(id)) ids.add(id)
  return { ids, anchor: id }
}

/** Selects every row that is shown, or none when all are. */
export function selectAll(before: Selection, rows: readonly string[]): Selection {
  const isAll = rows.length > 0 && rows.every((id) => before.ids.has(id))
  return isAll ? noSelection : { ids: new Set(rows), anchor: before.anchor }
}

/** The selected of the rows that there are: a refresh may have taken some away. */
export const selectedOf = <Row>(rows: readonly Row[], idOf: (row: Row) => string, { ids }: Selection): Row[] =>
  rows.filter((row) => ids.has(idOf(row)))
