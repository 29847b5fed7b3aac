/**
 * Rows of cells as comma-separated values with CR LF (RFC 4180). A cell that a spreadsheet would take for a formula gets a leading apostrophe;
 * plain numbers stay numbers.
 */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')

const isNumber = /^[-+]?[\d.,]+%?$/

function cellOf(text: string): string {
  const cell = text.trim()
  const safe = /^[=+\-@\t\r|]/.test(cell) && !isNumber.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
