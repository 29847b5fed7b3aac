import { type ComponentProps, lazy, Suspense } from 'react'
import { Box } from '../../../shared/ui/index.ts'

const DayPlot = lazy(async () => ({ default: (await import('../../../shared/plot/day-plot.tsx')).DayPlot }))

/** Reserves the height of the plot. */
const ChartRoom = () => <div className="h-57" />

/** In place of a chart in its box, while the values are loading. */
export const ChartPlaceholder = () => (
  <Box>
    <ChartRoom />
  </Box>
)

/** Values by day as lines; the plotting code is loaded on demand. */
export const DayChart = (props: ComponentProps<typeof DayPlot>) => (
  <Suspense fallback={<ChartRoom />}>
    <DayPlot {...props} />
  </Suspense>
)
