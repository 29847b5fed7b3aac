/** The selected rows, and the row from which Shift extends the selection. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly anchor: string | null
}

export const noSelection: Selection = { ids: new Set(), anchor: null }

/** Toggles a row. With `range`, adds all rows from the anchor to it to the selection. */
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

/** Selects all shown rows, or none if all are selected. */
export function selectAll(before: Selection, rows: readonly string[]): Selection {
  const isAll = rows.length > 0 && rows.every((id) => before.ids.has(id))
  return isAll ? noSelection : { ids: new Set(rows), anchor: before.anchor }
}

/** The selected rows that still exist: a refresh may have removed some. */
export const selectedOf = <Row>(rows: readonly Row[], idOf: (row: Row) => string, { ids }: Selection): Row[] =>
  rows.filter((row) => ids.has(idOf(row)))
