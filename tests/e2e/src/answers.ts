import type { ProviderScript } from '@parley/testing'

const text = `For a house that needs about **24 MWh** of heat a year, the flow temperature decides more than the device. With the
radiators you have, an air-to-water unit that holds \`55 °C\` at −12 °C is the realistic choice; see [the guide](https://example.org/guide).

## What it costs

| System | Seasonal COP | Electricity | Cost a year |
|---|--:|--:|--:|
| Air to water, 55 °C | 2.9 | 8,276 kWh | € 2,235 |
| Air to water, 45 °C | 3.6 | 6,667 kWh | € 1,800 |
| Ground source, 45 °C | 4.4 | 5,455 kWh | € 1,473 |

\`\`\`python
def yearly_cost(heat_kwh, cop, price=0.27):
    # electricity bought, times its price; this comment is long enough to run out of the box on any phone there is
    return heat_kwh / cop * price
\`\`\`

### What to do first

1. Measure the flow temperature on the coldest day.
2. Change the two smallest radiators:
   - the bathroom's
   - the hall's
3. Ask for three offers.

> An offer without a heat-load calculation is an estimate.

- [x] Insulate the attic
- [ ] Balance the radiators

![A heat pump beside a wall](https://example.org/pump.png)`

/** An answer that uses all of Markdown, preceded by reasoning. */
export const showcase: ProviderScript = {
  reasoning: [
    'The house is not insulated, so the flow temperature will be high. ',
    'I should compare systems by yearly cost.',
  ],
  text,
  usage: { inputTokens: 96, outputTokens: 316 },
}

const pieces = text.match(/\S+\s*/g) ?? []

/** The same answer, still unfinished inside its code block. */
export const unfinished: ProviderScript = {
  reasoning: ['The house is not insulated, so the flow temperature will be high.'],
  chunks: pieces,
  hang: { after: pieces.findIndex((piece) => piece.startsWith('heat_kwh')) },
}

/** Reasoning that has not ended yet. */
export const thinking: ProviderScript = {
  reasoning: [
    'The house is not insulated, so the flow temperature will be high. ',
    'What would a second radiator change? ',
  ],
  text: 'Never said',
  hang: { after: 2 },
}

/** An answer that is cut off in its second paragraph. */
export const broken: ProviderScript = { chunks: pieces, cutAfterChunks: 40 }

/** A provider that is down. */
export const down: ProviderScript = { status: 500 }
