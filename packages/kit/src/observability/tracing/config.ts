/**
 * Callers name their traces. A service that sampled by a trace's id alone would let them decide what is recorded: in place of `traceidratio` each one follows the
 * decision of the entrance.
 */
export function followEntrance(): void {
  if (process.env.OTEL_TRACES_SAMPLER === 'traceidratio') process.env.OTEL_TRACES_SAMPLER = 'parentbased_traceidratio'
}
