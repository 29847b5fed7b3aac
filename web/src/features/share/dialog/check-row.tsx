import type { ReactNode } from 'react'

interface Props {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly children: ReactNode
}

export const CheckRow = ({ checked, onChange, children }: Props) => (
  <label className="flex min-h-8 cursor-pointer items-center gap-2.5 text-sm pointer-coarse:min-h-11">
    <input
      type="checkbox"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
      className="size-4 shrink-0 accent-brand"
    />
    <span>{children}</span>
  </label>
)
