import type { Receipt } from '@parley/contracts'
import { expect, it } from 'vitest'
import { csvOf } from './data-table.tsx'

it('a table exported as CSV has plain numbers and no cells that a spreadsheet would execute', () => {
  const rows: Pick<Receipt, 'reason' | 'charged'>[] = [
    { reason: '=HYPERLINK("https://evil.example")', charged: 1234 },
    { reason: 'The answer was made, and paid for.', charged: 0 },
  ]
  const columns = [
    { label: 'Reason', value: ({ reason }: (typeof rows)[number]) => reason },
    { label: 'Charged', value: ({ charged }: (typeof rows)[number]) => charged },
  ]
  expect(csvOf(columns, rows)).toBe(
    'Reason,Charged\r\n"\'=HYPERLINK(""https://evil.example"")",1234\r\n"The answer was made, and paid for.",0\r\n',
  )
})
