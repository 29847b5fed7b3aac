import { useDelayed } from './use-delayed.ts'

/** Placeholder lines, shown only when loading takes longer than 150 ms. `widths` are CSS widths, one per line. */
export function Skeleton({ widths, lineClass = 'h-4' }: { widths: readonly string[]; lineClass?: string }) {
  const shown = useDelayed(150)
  return (
    <div aria-hidden="true" className={shown ? 'flex flex-col gap-3' : 'flex flex-col gap-3 invisible'}>
      {widths.map((width, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity and never move
          key={index}
          className={`animate-pulse rounded-md bg-active motion-reduce:animate-none ${lineClass}`}
          style={{ width }}
        />
      ))}
    </div>
  )
}
