import { startChild } from '../process-channel.ts'
import type { CutsQuestion, CutsReport } from '../processes/cuts-process.ts'
import type { Row } from '../table.ts'
import type { Whole } from '../whole.ts'

const tokensPerSecond = 5
const resumeLimitMs = 1_000
const milliseconds = (value: number | null): string => (value === null ? 'never' : `${value.toFixed(0)} ms`)

/** R1: many answers whose readers are cut repeatedly; every token arrives, with little delay. */
export async function measureCuts({ plan, stub, parley }: Whole): Promise<Row[]> {
  const { cutStreams: streams, cutsEach: cuts, cutSeconds } = plan
  const tokens = tokensPerSecond * cutSeconds
  await stub.ask('pace', { tokens, everyMs: 1_000 / tokensPerSecond, padding: 0 })
  await using group = new AsyncDisposableStack()
  const load = await startChild('cuts-process.ts')
  group.defer(() => load.stop())
  const question: CutsQuestion = { target: parley.chat(), streams, tokens, cuts, rampMs: streams * 40 }
  const report = await load.ask<CutsReport>('cutStreams', question)
  const { failed, lost, disordered, resumeP50, resumeP95, reasons } = report
  const what = `${streams} answers, ${report.cuts} cuts, half of them reloads`
  return [
    {
      id: 'R1',
      goal: `${what}: failed, lost and disordered events${reasons[0] === undefined ? '' : ` (${reasons[0]})`}`,
      measured: `${failed}, ${lost}, ${disordered}`,
      limit: '0, 0, 0',
      met: failed + lost + disordered === 0,
    },
    {
      id: 'R1',
      goal: `${what}: p95 from the call that resumes to the next event (p50 ${milliseconds(resumeP50)})`,
      measured: milliseconds(resumeP95),
      limit: `≤ ${resumeLimitMs} ms`,
      met: resumeP95 !== null && resumeP95 <= resumeLimitMs,
    },
  ]
}
