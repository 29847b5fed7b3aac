import { type ComponentProps, lazy, Suspense } from 'react'

const DayPlot = lazy(async () => ({ default: (await import('../../../shared/plot/day-plot.tsx')).DayPlot }))

/** Values by day as lines; the plotting code is loaded on demand. */
export const DayChart = (props: ComponentProps<typeof DayPlot>) => (
  // Reserves the height of the plot.
  <Suspense fallback={<div className="h-57" />}>
    <DayPlot {...props} />
  </Suspense>
)
