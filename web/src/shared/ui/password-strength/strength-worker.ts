import { estimateStrength } from './estimate.ts'
import type { StrengthAnswer, StrengthQuestion } from './strength.ts'

self.onmessage = ({ data }: MessageEvent<StrengthQuestion>) => {
  const strength = estimateStrength(data.password, data.context)
  self.postMessage({ nth: data.nth, strength } satisfies StrengthAnswer)
}
