import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'
import type { Whole } from '../whole.ts'

/** P7: the time that the whole path adds to the provider's first stream byte, over that added by a bare pass-through. */
export async function measureFirstByte({ plan, stub, load, bareUrl, stubUrl, parley }: Whole): Promise<Row[]> {
  await stub.ask('pace', { tokens: 5, everyMs: 2, padding: 0 })
  const direct = { url: `${stubUrl}/v1/chat/completions`, headers: {}, body: { stream: true } }
  const targets = { direct, bare: { ...direct, url: `${bareUrl}/v1/chat/completions` }, full: parley.chat() }
  const firstByte = async (target: object): Promise<number> =>
    median(await load.ask<number[]>('firstBytes', { target, count: plan.firstBytesEach }))
  for (const target of Object.values(targets)) await firstByte(target)
  const added: { bare: number; full: number }[] = []
  for (let round = 0; round < plan.rounds; round += 1) {
    const base = await firstByte(targets.direct)
    added.push({ bare: (await firstByte(targets.bare)) - base, full: (await firstByte(targets.full)) - base })
  }
  return [
    {
      id: 'P7',
      goal: `added time to the first stream byte, full chat path / bare's (bare adds ${median(added.map(({ bare }) => bare)).toFixed(2)} ms)`,
      measured: withSpread(
        added.map(({ full, bare }) => full / bare),
        1,
        ' ×',
      ),
      limit: '',
      met: undefined,
    },
    {
      id: 'P7',
      goal: "first stream byte of a stored, held and metered chat over the provider's own",
      measured: withSpread(
        added.map(({ full }) => full),
        1,
        ' ms',
      ),
      limit: '≤ 50 ms (W1)',
      met: median(added.map(({ full }) => full)) <= 50,
    },
  ]
}
