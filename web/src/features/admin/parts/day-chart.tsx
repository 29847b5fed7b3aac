import { type ComponentProps, lazy, Suspense } from 'react'

const DayPlot = lazy(async () => ({ default: (await import('../../../shared/plot/day-plot.tsx')).DayPlot }))

/** Values by day as lines; what draws them comes with the first of them. */
export const DayChart = (props: ComponentProps<typeof DayPlot>) => (
  // In the height of the plot that comes.
  <Suspense fallback={<div className="h-57" />}>
    <DayPlot {...props} />
  </Suspense>
)
